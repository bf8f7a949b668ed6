using System;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.Execution;

/// <summary>Provides the waits for the end of a run. Any number of threads can wait at the same time.</summary>
internal sealed partial class ChildLife
{
    /// <summary>Waits for the end of the run.</summary>
    /// <exception cref="Exception">A callback, a stream or an input of the user threw it.</exception>
    public ProcessResult Wait()
    {
        AwaitEnd();
        Completion.StartFailure?.Throw();
        return Completion.Result!.ThrowIfDeliveryFailed();
    }

    /// <summary>Waits for the end of the run, and throws nothing.</summary>
    public void AwaitEnd() => TryWait(Timeout.InfiniteTimeSpan);

    /// <summary>Waits until the run ends or the limit expires.</summary>
    public bool TryWait(TimeSpan limit)
    {
        MarkUsed();

        // A ThreadPool thread must block in a way that the pool can see. An observer is notified only on a reactor's
        // thread.
        if (!HasEnded
            && limit == Timeout.InfiniteTimeSpan
            && _observer is null
            && !Thread.CurrentThread.IsThreadPoolThread)
        {
            Child.Serve();
        }

        return HasEnded || BlockingWait.For(Completion.Ended, limit);
    }

    /// <summary>Waits asynchronously for the end of the run, without a blocked thread.</summary>
    /// <param name="cancellationToken">A token that stops the child. The task completes once the child is gone.</param>
    public Task<ProcessResult> WaitOrStopAsync(CancellationToken cancellationToken)
    {
        MarkUsed();
        return RunWaiter.For(this, stopsChild: true, cancellationToken);
    }

    /// <summary>Waits asynchronously for the end of the run, without a blocked thread.</summary>
    /// <param name="cancellationToken">A token that cancels the wait and leaves the child alone.</param>
    public Task<ProcessResult> WaitAsync(CancellationToken cancellationToken)
    {
        MarkUsed();
        return RunWaiter.For(this, stopsChild: false, cancellationToken);
    }

    /// <summary>
    /// Gets a task that completes at the end of the run and never fails, for a user who waits for it.
    /// </summary>
    public Task Ended
    {
        get
        {
            MarkUsed();
            return Completion.Ended;
        }
    }

    /// <summary>Marks the result as used, or as not needed.</summary>
    public void MarkUsed() => Engine.Forgotten?.MarkUsed(this);
}
