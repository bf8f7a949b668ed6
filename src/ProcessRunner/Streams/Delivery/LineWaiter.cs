using System;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// A reader of live lines that waits: a task that the thread which brings the line completes itself, so that a thread
/// that blocks on it needs no other one. Guarded by the gate of its <see cref="LineChannel"/>.
/// </summary>
internal abstract class LineWaiter
{
    /// <summary>There is something to tell. Comes once, unless the reader has given up.</summary>
    public abstract void Answer();
}

/// <inheritdoc/>
/// <param name="answer">Gives what the reader gets, as a completed task.</param>
internal sealed class LineWaiter<T>(Func<Task<T>?> answer) : LineWaiter
{
    // Its continuations never run on the thread that completes it.
    private readonly TaskCompletionSource<T> _answered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private CancellationTokenRegistration _registration;

    /// <summary>Completes with the answer, or as cancelled.</summary>
    public Task<T> Task => _answered.Task;

    /// <summary>Keeps the registration at the reader's token until the end.</summary>
    public void Keep(CancellationTokenRegistration registration)
    {
        _registration = registration;
        if (Task.IsCompleted)
        {
            registration.Unregister();
        }
    }

    public override void Answer()
    {
        // Without a wait: the callback may be waiting for the gate.
        _registration.Unregister();
        _answered.SetFromTask(answer()!);
    }

    /// <summary>The reader has given up, and is in the queue no longer.</summary>
    public void SetCanceled(CancellationToken token) => _answered.SetCanceled(token);
}
