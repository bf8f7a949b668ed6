using System;
using System.Collections.Generic;
using System.Runtime.Versioning;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <content>The settings that few commands have.</content>
public sealed partial record ProcessCommand
{
    // Null if the command has none of them.
    private readonly CommandExtras? _extras;

    /// <summary>
    /// Gets how long the child may be silent. Only output through this process counts. With a limit, a start throws
    /// <see cref="InvalidOperationException"/> if a stream goes to a file, to this process's own streams or into a
    /// pipeline, or if both streams go to <see cref="OutputTarget.Null"/>. If one stream goes to
    /// <see cref="OutputTarget.Null"/>, only the other one counts.
    /// </summary>
    /// <value>
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/>, for no limit, by default; zero or more. At the limit
    /// the child is stopped, with <see cref="ProcessOutcome.IdleTimedOut"/>.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan IdleTimeout
    {
        get => Extras.IdleTimeout;
        init => Extras = Extras with { IdleTimeout = TimeLimit.Validated(value, nameof(value)) };
    }

    /// <summary>
    /// Gets the further streams of the child, by their numbers: pipes that the child writes, and handles of the caller.
    /// They are drained as the standard streams are, and the run waits for their end within
    /// <see cref="DrainGrace"/> as well. <see cref="ProcessResult.Channels"/> has what was kept of them.
    /// </summary>
    /// <value>
    /// Empty by default. On Unix the child has the descriptor of that number. On Windows it inherits a handle, whose
    /// value is in the variable <c>PROCESSRUNNER_CHANNEL_</c> followed by the number. The target is one whose bytes
    /// come through this process (a capture, a callback, a stream), or <see cref="OutputTarget.ToHandle"/>, which
    /// passes the handle on whether it is read or written.
    /// </value>
    /// <remarks>
    /// The numbers are from 3 to 63. A process that the child starts inherits the descriptor unless the child sets it
    /// close-on-exec, and then holds the pipe open. The portable backend has no channels.
    /// </remarks>
    /// <exception cref="ArgumentNullException">The value, or one of its targets, is a null reference.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A number is less than 3 or greater than 63.</exception>
    /// <exception cref="ArgumentException">
    /// A target is <see cref="OutputTarget.Null"/>, <see cref="OutputTarget.Inherit"/>,
    /// <see cref="OutputTarget.MergeIntoOutput"/>, a file (<see cref="OutputTarget.ToFile"/>) or
    /// <see cref="OutputTarget.Live"/>.
    /// </exception>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    public IReadOnlyDictionary<int, OutputTarget> Channels
    {
        get => Extras.Channels;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            foreach ((int number, OutputTarget target) in value)
            {
                ThrowIfNoChannel(number, target);
            }

            Extras = Extras with { Channels = new ValueMap<int, OutputTarget>(value) };
        }
    }

    /// <summary>
    /// Gets whether the child is killed when this process ends: by a return from Main, an unhandled exception, or a
    /// signal including SIGKILL. The processes that descend from it end with it, if it still lives.
    /// </summary>
    /// <value>
    /// False by default: <see cref="ProcessEngineOptions.KillChildrenOnExit"/> decides, which does the same for all
    /// children of an engine. On Linux the first child with it starts one small guardian in its engine. Without
    /// <c>/bin/sh</c> the start throws a <see cref="ProcessStartException"/>; without /proc, or with that of another
    /// PID namespace, nothing is killed. On Windows the system kills the child. A child that is detached continues. The
    /// portable backend refuses it.
    /// </value>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    public bool KillOnParentExit
    {
        get => Extras.KillsOnParentExit;
        init => Extras = Extras with { KillsOnParentExit = value };
    }

    /// <summary>Gets the settings that few commands have.</summary>
    internal CommandExtras Extras
    {
        get => _extras ?? CommandExtras.None;
        private init => _extras = value == CommandExtras.None ? null : value;
    }

    ILaunchSettings? ILaunchPlan.Settings => _extras;

    string? IProgram.ArgumentZero => _extras?.ArgumentZero;

    /// <summary>
    /// Creates a command with one more channel, in addition to those of this command. A channel of the same number is
    /// replaced.
    /// </summary>
    /// <param name="number">The number of the channel, from 3 to 63.</param>
    /// <param name="target">Where the channel goes; see <see cref="Channels"/>.</param>
    /// <exception cref="ArgumentNullException">The target is a null reference.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The number is less than 3 or greater than 63.</exception>
    /// <exception cref="ArgumentException">
    /// The target is <see cref="OutputTarget.Null"/>, <see cref="OutputTarget.Inherit"/>,
    /// <see cref="OutputTarget.MergeIntoOutput"/>, a file (<see cref="OutputTarget.ToFile"/>) or
    /// <see cref="OutputTarget.Live"/>.
    /// </exception>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    public ProcessCommand WithChannel(int number, OutputTarget target) =>
        this with { Channels = new Dictionary<int, OutputTarget>(Channels) { [number] = target } };

    private static void ThrowIfNoChannel(int number, OutputTarget target)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, LaunchChannel.Lowest);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(number, LaunchChannel.Highest);
        ArgumentNullException.ThrowIfNull(target);
        if (target.IsLive || target.Binding.Kind is not (StreamBindingKind.Pipe or StreamBindingKind.Handle))
        {
            throw new ArgumentException(
                $"Channel {number} cannot go to {target}: a channel takes a target whose bytes come through this "
                + $"process, or {nameof(OutputTarget)}.{nameof(OutputTarget.ToHandle)}.",
                nameof(target));
        }
    }
}
