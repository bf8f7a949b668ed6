using System.Collections.Immutable;

namespace ProcessRunner.Backends;

/// <summary>Describes the settings of a child that few children have. Immutable.</summary>
internal interface ILaunchSettings
{
    /// <summary>Gets the further streams of the child, in the order of their numbers.</summary>
    ImmutableArray<LaunchChannel> Channels { get; }
}
