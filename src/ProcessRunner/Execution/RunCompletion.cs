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
/// <param name="owed">Where a run stands that could not tell them all for want of memory.</param>
internal sealed class RunCompletion(object gate, OwedEnds owed)
{
    private ProcessResult? _result;
    private ExceptionDispatchInfo? _startFailure;
    private TaskCompletionSource? _ended;
    private IEndWaiter? _waiters;

    /// <summary>The result, once the child has ended.</summary>
    public ProcessResult? Result => Volatile.Read(ref _result);

    /// <summary>Why there is no child, once that is certain.</summary>
    public ExceptionDispatchInfo? StartFailure => Volatile.Read(ref _startFailure);

    /// <summary>The next one of those that are to tell their waiters again; owned by <see cref="OwedEnds"/>.</summary>
    public RunCompletion? NextOwed { get; set; }

    /// <summary>Whether it has been set.</summary>
    public bool IsSet => Result is not null || StartFailure is not null;

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
                waiter.OnEnded(_result, _startFailure);
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
    public void Set(ProcessResult result)
    {
        Volatile.Write(ref _result, result);
        Tell();
    }

    /// <summary>There is no child, and there will be none. With the gate held.</summary>
    public void SetStartFailure(ExceptionDispatchInfo failure)
    {
        Volatile.Write(ref _startFailure, failure);
        Tell();
    }

    /// <summary>Tells those that could not be told before. Any thread.</summary>
    public void TellAgain()
    {
        using (Uninterruptible.Lock(gate))
        {
            Tell();
        }
    }

    private void Tell()
    {
        try
        {
            _ended?.TrySetResult();
            for (; _waiters is IEndWaiter waiter; _waiters = waiter.Next)
            {
                waiter.OnEnded(_result, _startFailure);
            }
        }
        catch (OutOfMemoryException)
        {
            owed.Add(this);
        }
    }
}
