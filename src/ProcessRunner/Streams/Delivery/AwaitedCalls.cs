using System;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Turns an asynchronous callback into a synchronous call. The delivery thread waits until the callback's task
/// completes, so that the duration creates backpressure on the child, and throws the task's exception. For one call at
/// a time.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "A token source without a timer or a wait handle holds nothing.")]
internal sealed class AwaitedCalls<T>(Func<T, CancellationToken, ValueTask> callback)
{
    private readonly CancellationTokenSource _calledOff = new();

    /// <summary>Calls the callback.</summary>
    public void Invoke(T value)
    {
        ValueTask call = callback(value, _calledOff.Token);
        if (call.IsCompleted)
        {
            call.GetAwaiter().GetResult();
            return;
        }

        Task task = call.AsTask();
        Uninterruptible.Do(task, static task => ((IAsyncResult)task).AsyncWaitHandle.WaitOne());
        task.GetAwaiter().GetResult();
    }

    /// <summary>Cancels the call that is under way, if any. Runs user code.</summary>
    public void CallOff()
    {
        try
        {
            _calledOff.Cancel();
        }
        catch (Exception)
        {
            // Thrown by an action that the callback registered with its token. The run has ended without the callback:
            // nothing waits for it any longer that could throw this.
        }
    }
}
