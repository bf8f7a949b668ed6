using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>Represents a step of a stop: a signal, and the time until the next step. Immutable.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public readonly record struct StopStep
{
    /// <summary>Initializes a step.</summary>
    /// <param name="signal">The signal. A raw number may be cast.</param>
    /// <param name="grace">
    /// The time until the next step, or until SIGKILL. <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> takes no
    /// further step.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such signal, or the time is negative.</exception>
    public StopStep(PosixSignal signal, TimeSpan grace)
    {
        Signal = SignalArgument.Validated(signal, nameof(signal));
        Grace = TimeLimit.Validated(grace, nameof(grace));
    }

    /// <summary>Gets the signal.</summary>
    public PosixSignal Signal { get; }

    /// <summary>Gets the time until the next step, or until SIGKILL.</summary>
    public TimeSpan Grace { get; }

    /// <summary>Returns the signal and the time.</summary>
    public override string ToString() => $"{Signal}, then {Grace}";
}
