using System;
using System.Collections.Immutable;
using System.Linq;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Holds the settings of a command that few commands have, so that the others pay nothing for them. Immutable.
/// </summary>
internal sealed record CommandExtras : ILaunchSettings
{
    /// <summary>Gets the settings of a command that has none of them.</summary>
    public static CommandExtras None { get; } = new();

    /// <summary>Gets how long the child may be silent.</summary>
    public TimeSpan IdleTimeout { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>Gets the targets of the channels.</summary>
    public ValueMap<int, OutputTarget> Channels { get; init; } = ValueMap<int, OutputTarget>.Empty;

    /// <summary>Gets the steps of a stop after the first one.</summary>
    public ValueList<StopStep> FurtherStops { get; init; } = ValueList<StopStep>.Empty;

    /// <summary>Gets the call before a stop, or null.</summary>
    public Action<StopNotice>? BeforeStop { get; init; }

    /// <summary>Gets how long that call may delay the stop.</summary>
    public TimeSpan BeforeStopLimit { get; init; } = TimeSpan.FromSeconds(10);

    ImmutableArray<LaunchChannel> ILaunchSettings.Channels => Channels.Count == 0
        ? []
        : [.. Channels.Select(static channel => new LaunchChannel(channel.Key, channel.Value.Binding))];
}
