using System;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Makes an asynchronous callback a call: the delivery thread waits until its task is complete, so that the child feels how long
/// it takes, and throws what it has failed with. For one call at a time.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "A token source without a timer or a wait handle holds nothing.")]
internal sealed class AwaitedCalls<T>(Func<T, CancellationToken, ValueTask> callback)
{
    private readonly CancellationTokenSource _calledOff = new();

    /// <summary>Makes a call.</summary>
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

    /// <summary>Cancels the call that is under way, if there is one. Runs user code.</summary>
    public void CallOff() => _calledOff.Cancel();
}
