using System;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// What came of a run, and those that wait for it: the result of a child that has ended, or the reason why there never was
/// a child. It is set once. Safe from any thread.
/// </summary>
/// <remarks>
/// The gate is the child's. The thread that sets it completes the tasks of all waiters in the same breath, so that no other
/// thread is needed; their continuations never run there.
/// </remarks>
/// <param name="gate">The child's.</param>
internal sealed class RunCompletion(object gate)
{
    // The result, or the reason why there is none.
    private object? _outcome;
    private TaskCompletionSource? _ended;
    private IEndWaiter? _waiters;

    /// <summary>The result, once the child has ended.</summary>
    public ProcessResult? Result => Volatile.Read(ref _outcome) as ProcessResult;

    /// <summary>Why there is no child, once that is certain.</summary>
    public ExceptionDispatchInfo? StartFailure => Volatile.Read(ref _outcome) as ExceptionDispatchInfo;

    /// <summary>The next one of those that are to tell their waiters again; owned by <see cref="OwedEnds"/>.</summary>
    public RunCompletion? NextOwed { get; set; }

    /// <summary>Whether it has been set.</summary>
    public bool IsSet => Volatile.Read(ref _outcome) is not null;

    /// <summary>
    /// Completes once it is set, and never fails. Made for the first one that asks: most of the children of a batch are
    /// waited for by nobody.
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

    /// <summary>Adds a waiter; it is told at once if there is nothing to wait for.</summary>
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

    /// <summary>Has a waiter keep the registration at its token.</summary>
    public void Keep(RunWaiter waiter, CancellationTokenRegistration registration)
    {
        using (Uninterruptible.Lock(gate))
        {
            waiter.Keep(registration);
        }
    }

    /// <summary>Takes out a waiter that has given up.</summary>
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

    /// <summary>The child has ended and everything of it is released. With the gate held.</summary>
    /// <returns>False if there was no memory to tell all waiters: see <see cref="TryTellAgain"/>.</returns>
    public bool TrySet(ProcessResult result) => TrySetOutcome(result);

    /// <summary>There is no child, and there will be none. With the gate held.</summary>
    /// <returns>False if there was no memory to tell all waiters: see <see cref="TryTellAgain"/>.</returns>
    public bool TrySet(ExceptionDispatchInfo startFailure) => TrySetOutcome(startFailure);

    /// <summary>Tells those that could not be told before. Any thread.</summary>
    /// <returns>False if there is no memory for it.</returns>
    public bool TryTellAgain()
    {
        using (Uninterruptible.Lock(gate))
        {
            return TryTell();
        }
    }

    private bool TrySetOutcome(object outcome)
    {
        Volatile.Write(ref _outcome, outcome);
        return TryTell();
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
