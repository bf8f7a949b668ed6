using System;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>Describes one run to start.</summary>
/// <param name="Command">The command to run.</param>
internal readonly record struct StartOrder(ProcessCommand Command)
{
    /// <summary>Gets the plan of an earlier attempt that failed for lack of a resource, or null.</summary>
    public ILaunchPlan? Plan { get; init; }

    /// <summary>Gets the number of the first attempt, starting at 1.</summary>
    public int Attempt { get; init; } = 1;

    /// <summary>Gets whether the first attempt is the only one, because the caller handles retries.</summary>
    public bool IsTriedOnce { get; init; }

    /// <summary>Gets the instant at which the run times out, regardless of the limit of its command.</summary>
    public long TimeoutAt { get; init; } = MonotonicClock.Never;

    /// <summary>Gets the limit that ends at <see cref="TimeoutAt"/>.</summary>
    public TimeSpan Timeout { get; init; } = System.Threading.Timeout.InfiniteTimeSpan;

    /// <summary>Gets the environment that a batch captured once for all its children, or null.</summary>
    public InheritedEnvironment? Environment { get; init; }

    /// <summary>Gets the slot that the batch passes to the child.</summary>
    public SlotVariable Slot { get; init; }

    /// <summary>Gets the observer that is notified of the end in addition to the waiters, or null.</summary>
    public IRunObserver? Observer { get; init; }

    /// <summary>Gets whether the user gets a <see cref="ChildProcess"/>, the only way to reach some streams.</summary>
    public bool IsHandedOut { get; init; }

    /// <summary>Gets whether the run is reported if no code uses its result.</summary>
    public bool IsReportedIfForgotten { get; init; }

    /// <summary>
    /// Gets whether another run of the batch may read the input: this command's next, or that of another command.
    /// </summary>
    public bool SharesInput { get; init; }

    /// <summary>Throws if the command has a setting that cannot be enforced, reached or repeated.</summary>
    /// <exception cref="InvalidOperationException">
    /// The command has a limit that cannot be enforced, a stream that nothing can reach, or an input that can be read
    /// only once and that another run may read.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">The backend lacks a part that the command needs.</exception>
    public void ThrowIfUnfit(ProcessBackend backend)
    {
        CommandChecks.ThrowIfImpossible(Command, backend);
        CommandChecks.ThrowIfSilenceIsUnheard(Command);
        if (!IsHandedOut)
        {
            CommandChecks.ThrowIfUnreachable(Command);
        }

        if (SharesInput)
        {
            CommandChecks.ThrowIfReadOnce(Command);
        }
    }
}
