using System.Collections.Immutable;

namespace ProcessRunner.Backends;

/// <summary>Describes the settings of a child that few children have. Immutable.</summary>
internal interface ILaunchSettings
{
    /// <summary>Gets the further streams of the child, in the order of their numbers.</summary>
    ImmutableArray<LaunchChannel> Channels { get; }

    /// <summary>Gets what a backend needs to be able to do for these settings.</summary>
    LaunchFeatures Features { get; }

    /// <summary>Gets the priority class, with the values of Windows; null for that of this process.</summary>
    int? PriorityClass { get; }

    /// <summary>Gets the nice value; null for that of this process.</summary>
    int? Nice { get; }

    /// <summary>Gets the processors on which the child may run; empty for those of this process.</summary>
    ImmutableArray<int> Processors { get; }

    /// <summary>Gets the limits of resources.</summary>
    ImmutableArray<LaunchLimit> Limits { get; }

    /// <summary>Gets the mask of the rights of new files; null for that of this process.</summary>
    int? FileModeMask { get; }

    /// <summary>Gets the user as which the child runs; null for that of this process.</summary>
    LaunchIdentity? Identity { get; }

    /// <summary>Gets the process group that the child joins; null for the group of the plan.</summary>
    int? ProcessGroupId { get; }

    /// <summary>Gets whether the child is killed when this process ends, in any way.</summary>
    bool KillsOnParentExit { get; }
}
