using System;
using System.Collections.Immutable;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>
/// Describes commands of which each reads what the one before it writes, through the kernel's own pipes: no byte in between
/// goes through this process. Immutable; it can run any number of times, at the same time, from any thread.
/// </summary>
public sealed record ProcessPipeline
{
    private readonly TimeSpan _timeout = System.Threading.Timeout.InfiniteTimeSpan;

    internal ProcessPipeline(ProcessCommand first, ProcessCommand second)
    {
        ArgumentNullException.ThrowIfNull(second);
        Stages = [first, second];
    }

    /// <summary>Gets the commands in their order.</summary>
    public ImmutableArray<ProcessCommand> Stages { get; private init; }

    /// <summary>Gets whether a failure of any stage is a failure of the pipeline.</summary>
    /// <value>True by default; false counts the last stage alone, as a shell without <c>pipefail</c> does.</value>
    public bool PipeFail { get; init; } = true;

    /// <summary>Gets how long all stages together may take.</summary>
    /// <value><see cref="System.Threading.Timeout.InfiniteTimeSpan"/>, no limit, by default; then all are stopped.</value>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public TimeSpan Timeout
    {
        get => _timeout;
        init => _timeout = TimeLimit.Validated(value, nameof(value));
    }

    /// <summary>Adds a stage that reads what the last one writes.</summary>
    /// <param name="next">Its <see cref="ProcessCommand.StandardInput"/> is replaced.</param>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    public ProcessPipeline PipeTo(ProcessCommand next)
    {
        ArgumentNullException.ThrowIfNull(next);
        return this with { Stages = Stages.Add(next) };
    }

    /// <summary>Runs all stages at once and waits for their end, on the calling thread.</summary>
    /// <param name="engine">The engine whose threads watch the children; <see cref="ProcessEngine.Shared"/> if null.</param>
    /// <exception cref="ProcessStartException">A stage could not be started; those before it have been killed.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>); the stages have been stopped and are gone.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="InvalidOperationException">
    /// A stage has a <see cref="ProcessCommand.IdleTimeout"/>, but its silence could not be told; those before it have been killed.
    /// Or a stream is <see cref="InputSource.Pipe"/> or <see cref="OutputTarget.Live"/>, which nobody could reach; nothing has
    /// been started.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">This system is not supported.</exception>
    public PipelineResult Run(ProcessEngine? engine = null) => PipelineRun.Run(this, engine ?? ProcessEngine.Shared);

    /// <summary>Runs all stages at once. Cancelling stops them all.</summary>
    /// <param name="engine">The engine whose threads watch the children; <see cref="ProcessEngine.Shared"/> if null.</param>
    /// <param name="cancellationToken">
    /// Stops the children, and starts that are still tried again; the task ends once they are gone.
    /// </param>
    /// <returns>
    /// A task that needs no ThreadPool thread to complete, so that it is safe to block on it. It tells of every failure, that
    /// of a start included.
    /// </returns>
    /// <exception cref="OperationCanceledException">
    /// By the task: the token was cancelled; <see cref="ProcessResult.Of(Exception)"/> has what the first stopped stage had
    /// written.
    /// </exception>
    /// <exception cref="ProcessStartException">
    /// By the task: a stage could not be started; those before it have been killed.
    /// </exception>
    /// <exception cref="ObjectDisposedException">By the task: the engine has been disposed.</exception>
    /// <exception cref="InvalidOperationException">
    /// By the task: a stage has a <see cref="ProcessCommand.IdleTimeout"/>, but its silence could not be told; or a stream is
    /// <see cref="InputSource.Pipe"/> or <see cref="OutputTarget.Live"/>, which nobody could reach.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">By the task: this system is not supported.</exception>
    public Task<PipelineResult> RunAsync(ProcessEngine? engine = null, CancellationToken cancellationToken = default) =>
        PipelineRun.RunAsync(this, engine ?? ProcessEngine.Shared, cancellationToken);

    /// <summary>Returns the command line as a POSIX shell would take it.</summary>
    public override string ToString() => string.Join(" | ", Stages);

    /// <exception cref="InvalidOperationException">A stream that is not replaced is one that nobody could reach.</exception>
    internal void ThrowIfUnreachable()
    {
        for (int i = 0; i < Stages.Length; i++)
        {
            ProcessCommand stage = Stages[i] with
            {
                StandardInput = i == 0 ? Stages[i].StandardInput : InputSource.Null,
                StandardOutput = i == Stages.Length - 1 ? Stages[i].StandardOutput : OutputTarget.Null,
            };
            stage.ThrowIfUnreachable();
        }
    }

    /// <summary>A stage as it is started. Its own limit holds beside that of the whole.</summary>
    internal ProcessCommand Stage(int index, PipeConnection? before, PipeConnection? behind)
    {
        ProcessCommand stage = Stages[index];
        bool isTighter = stage.Timeout < TimeSpan.Zero || (Timeout >= TimeSpan.Zero && Timeout < stage.Timeout);
        return stage with
        {
            Timeout = isTighter ? Timeout : stage.Timeout,
            GroupMode = stage.GroupMode == ProcessGroupMode.Auto && Stages[0].StandardInput == InputSource.Inherit
                ? ProcessGroupMode.Inherit
                : stage.GroupMode,
            StandardInput = before is null ? stage.StandardInput : InputSource.From(before),
            StandardOutput = behind is null ? stage.StandardOutput : OutputTarget.To(behind),
        };
    }
}
