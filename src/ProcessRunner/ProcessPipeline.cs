using System;
using System.Collections.Immutable;
using System.Linq;
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
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">This system is not supported.</exception>
    public PipelineResult Run(ProcessEngine? engine = null)
    {
        ChildLife[] children = Start(engine ?? ProcessEngine.Shared);
        Array.ForEach(children, child => child.AwaitEnd());
        return new PipelineResult([.. children.Select(child => child.Wait())], PipeFail);
    }

    /// <summary>Runs all stages at once. Cancelling stops them all.</summary>
    /// <param name="cancellationToken">Stops the children; the task ends once they are gone.</param>
    /// <param name="engine">The engine whose threads watch the children; <see cref="ProcessEngine.Shared"/> if null.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ProcessStartException">A stage could not be started; those before it have been killed.</exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">This system is not supported.</exception>
    public async Task<PipelineResult> RunAsync(ProcessEngine? engine = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ChildLife[] children = Start(engine ?? ProcessEngine.Shared);
        ProcessResult[] results = await Task.WhenAll(
            children.Select(child => child.WaitOrStopAsync(cancellationToken))).ConfigureAwait(false);
        return new PipelineResult(results, PipeFail);
    }

    /// <summary>Returns the command line as a POSIX shell would take it.</summary>
    public override string ToString() => string.Join(" | ", Stages);

    private ChildLife[] Start(ProcessEngine engine)
    {
        ChildLife[] children = new ChildLife[Stages.Length];
        PipeConnection? before = null;
        try
        {
            for (int i = 0; i < Stages.Length; i++)
            {
                PipeConnection? behind = i < Stages.Length - 1 ? engine.Connect(Stages[i]) : null;
                try
                {
                    children[i] = engine.Start(Stage(i, before, behind));
                }
                catch
                {
                    behind?.Dispose();
                    throw;
                }

                before?.Dispose();
                before = behind;
            }

            return children;
        }
        catch
        {
            before?.Dispose();
            foreach (ChildLife child in children.OfType<ChildLife>())
            {
                child.Stop(StopCause.Dispose, TimeSpan.Zero);
                child.AwaitEnd();
            }

            throw;
        }
    }

    // A stage's own limit holds beside that of the whole.
    private ProcessCommand Stage(int index, PipeConnection? before, PipeConnection? behind)
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
