using System;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Represents the outcome of a run and its waiters: the result of a child that has ended, or the reason why the child
/// never existed. The outcome is set once. Thread-safe.
/// </summary>
/// <remarks>
/// The gate is the child's. The thread that sets the outcome immediately completes the tasks of all waiters, so that no
/// other thread is needed. Continuations never run on that thread.
/// </remarks>
/// <param name="gate">The child's gate.</param>
internal sealed class RunCompletion(object gate)
{
    // The result, or the start failure.
    private object? _outcome;
    private TaskCompletionSource? _ended;
    private IEndWaiter? _waiters;

    /// <summary>Gets the result once the child has ended.</summary>
    public ProcessResult? Result => Volatile.Read(ref _outcome) as ProcessResult;

    /// <summary>Gets the reason why there is no child, once that is certain.</summary>
    public ExceptionDispatchInfo? StartFailure => Volatile.Read(ref _outcome) as ExceptionDispatchInfo;

    /// <summary>
    /// Gets or sets the next completion that is to notify its waiters again. Owned by <see cref="OwedEnds"/>.
    /// </summary>
    public RunCompletion? NextOwed { get; set; }

    /// <summary>Gets whether the outcome has been set.</summary>
    public bool IsSet => Volatile.Read(ref _outcome) is not null;

    /// <summary>
    /// Gets a task that completes once the outcome is set, and never fails. Created on first access: most children of a
    /// batch have no waiter.
    /// </summary>
    public Task Ended
    {
        get
        {
            using (Uninterruptible.Lock(gate))
            {
                if (_ended is null)
                {
                    _ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                    if (IsSet)
                    {
                        _ended.SetResult();
                    }
                }

                return _ended.Task;
            }
        }
    }

    /// <summary>Adds a waiter, or notifies it at once if the outcome is already set.</summary>
    public void Add(IEndWaiter waiter)
    {
        using (Uninterruptible.Lock(gate))
        {
            if (IsSet)
            {
                waiter.OnEnded(Result, StartFailure);
            }
            else
            {
                waiter.Next = _waiters;
                _waiters = waiter;
            }
        }
    }

    /// <summary>Notifies the waiters that the child runs. Requires the gate.</summary>
    public void OnStarted()
    {
        Uninterruptible.AssertHeld(gate);
        for (IEndWaiter? waiter = _waiters; waiter is not null; waiter = waiter.Next)
        {
            waiter.OnStarted();
        }
    }

    /// <summary>Stores the registration of a waiter's token in the waiter.</summary>
    public void Keep(RunWaiter waiter, CancellationTokenRegistration registration)
    {
        using (Uninterruptible.Lock(gate))
        {
            waiter.Keep(registration);
        }
    }

    /// <summary>Removes a waiter that has given up.</summary>
    public void Remove(IEndWaiter waiter)
    {
        using (Uninterruptible.Lock(gate))
        {
            if (_waiters == waiter)
            {
                _waiters = waiter.Next;
                return;
            }

            for (IEndWaiter? before = _waiters; before is not null; before = before.Next)
            {
                if (before.Next == waiter)
                {
                    before.Next = waiter.Next;
                    return;
                }
            }
        }
    }

    /// <summary>Sets the result of a child that has ended and is released. Requires the gate.</summary>
    /// <param name="result">The result.</param>
    /// <param name="owed">Takes over if there is no memory to notify all waiters.</param>
    public void Set(ProcessResult result, OwedEnds owed) => SetOutcome(result, owed);

    /// <summary>Sets the reason why there is and will be no child. Requires the gate.</summary>
    /// <param name="startFailure">The reason.</param>
    /// <param name="owed">Takes over if there is no memory to notify all waiters.</param>
    public void Set(ExceptionDispatchInfo startFailure, OwedEnds owed) => SetOutcome(startFailure, owed);

    /// <summary>Notifies the remaining waiters. Thread-safe.</summary>
    /// <returns>False if there is still no memory for it.</returns>
    public bool TryTellAgain()
    {
        using (Uninterruptible.Lock(gate))
        {
            return TryTell();
        }
    }

    private void SetOutcome(object outcome, OwedEnds owed)
    {
        Uninterruptible.AssertHeld(gate);
        Volatile.Write(ref _outcome, outcome);
        if (!TryTell())
        {
            owed.Add(this);
        }
    }

    private bool TryTell()
    {
        try
        {
            _ended?.TrySetResult();
            for (; _waiters is IEndWaiter waiter; _waiters = waiter.Next)
            {
                waiter.OnEnded(Result, StartFailure);
            }

            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }
}
