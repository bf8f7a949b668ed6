using System;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Represents a waiting reader of live lines. The thread that brings the line completes the reader's task itself, so
/// that a thread blocked on the task depends on no other thread. Guarded by the gate of its <see cref="LineChannel"/>.
/// </summary>
internal abstract class LineWaiter
{
    /// <summary>Completes the task with the answer. Called once, unless the reader has given up.</summary>
    public abstract void Answer();
}

/// <inheritdoc/>
/// <param name="answer">A function that returns the answer as a task.</param>
/// <remarks>
/// The end of the run can complete the task without that gate, while the reader keeps its registration. The lock of
/// <c>_answered</c> guards the registration and <c>_isOver</c>.
/// </remarks>
internal sealed class LineWaiter<T>(Func<Task<T>?> answer) : LineWaiter
{
    // Continuations never run on the thread that completes the task.
    private readonly TaskCompletionSource<T> _answered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private CancellationTokenRegistration _registration;
    private bool _isOver;

    /// <summary>Gets the task that completes with the answer, or as canceled.</summary>
    public Task<T> Task => _answered.Task;

    /// <summary>Keeps the registration of the reader's token until the end.</summary>
    public void Keep(CancellationTokenRegistration registration)
    {
        bool isOver;
        using (Uninterruptible.Lock(_answered))
        {
            _registration = registration;
            isOver = _isOver || Task.IsCompleted;
        }

        if (isOver)
        {
            registration.Unregister();
        }
    }

    /// <summary>Gets whether the answer is known to be another task, which has not completed yet.</summary>
    public bool IsFollowing { get; private set; }

    public override void Answer()
    {
        Task<T> known = answer()!;
        if (known.IsCompleted)
        {
            Complete(known);
        }
        else
        {
            Follow(known);
        }
    }

    /// <summary>Completes the task when another one completes, on the same thread.</summary>
    public void Follow(Task<T> other)
    {
        IsFollowing = true;
        other.ContinueWith(
            static (other, waiter) => ((LineWaiter<T>)waiter!).Complete(other),
            this,
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
    }

    /// <summary>Cancels the task of a reader that has given up.</summary>
    public void TrySetCanceled(CancellationToken token) => _answered.TrySetCanceled(token);

    private void Complete(Task<T> known)
    {
        CancellationTokenRegistration registration;
        using (Uninterruptible.Lock(_answered))
        {
            _isOver = true;
            registration = _registration;
        }

        // Does not wait for the callback, which may itself be waiting for the gate.
        registration.Unregister();
        _answered.TrySetFromTask(known);
    }
}
