using System;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.Execution;

/// <summary>The ways to wait for the end of a run. Any thread, any number of them.</summary>
internal sealed partial class ChildLife
{
    /// <summary>Waits for the end.</summary>
    /// <exception cref="Exception">What a callback, a stream or an input of the user's threw.</exception>
    public ProcessResult Wait()
    {
        AwaitEnd();
        Completion.StartFailure?.Throw();
        return Completion.Result!.ThrowIfDeliveryFailed();
    }

    /// <summary>Waits for the end, and throws nothing.</summary>
    public void AwaitEnd() => TryWait(Timeout.InfiniteTimeSpan);

    /// <summary>Waits for the end, but not longer than a limit.</summary>
    public bool TryWait(TimeSpan limit)
    {
        // A thread of the pool must block in the way that its pool sees. An observer is told on a reactor's thread only.
        if (!HasEnded && limit == Timeout.InfiniteTimeSpan && _observer is null && !Thread.CurrentThread.IsThreadPoolThread)
        {
            _child.Serve();
        }

        return HasEnded || BlockingWait.For(Completion.Ended, limit);
    }

    /// <summary>Waits for the end without a thread.</summary>
    /// <param name="cancellationToken">Stops the child; the task ends once it is gone.</param>
    public Task<ProcessResult> WaitOrStopAsync(CancellationToken cancellationToken) =>
        RunWaiter.For(this, stopsChild: true, cancellationToken);

    /// <summary>Waits for the end without a thread.</summary>
    /// <param name="cancellationToken">Gives up the wait, and leaves the child alone.</param>
    public Task<ProcessResult> WaitAsync(CancellationToken cancellationToken) =>
        RunWaiter.For(this, stopsChild: false, cancellationToken);
}
