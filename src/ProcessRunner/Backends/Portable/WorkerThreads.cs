using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Portable;

/// <summary>
/// Provides the threads that block for the children: in a read, in a write, or until an exit. A thread is reserved
/// before the start of the child that needs it, so that a child that runs never lacks one. A thread that has been idle
/// for some seconds ends.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards everything. It is acquired inside a child's gate, and never held while a job runs or a thread is
/// created. No user code runs on these threads.
/// </remarks>
internal sealed class WorkerThreads : IDisposable
{
    private const string Name = "ProcessRunner worker";

    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(5);

    private readonly object _gate = new();
    private readonly Queue<Action> _jobs = new();

    // The threads, the jobs that run or are queued, and the jobs to come. There are always enough threads for both.
    private int _threads;
    private int _busy;
    private int _reserved;
    private bool _isStopping;

    /// <summary>Gets the number of threads.</summary>
    public int Count
    {
        get
        {
            using (Uninterruptible.Lock(_gate))
            {
                return _threads;
            }
        }
    }

    /// <summary>Reserves threads for a number of jobs.</summary>
    /// <exception cref="OutOfMemoryException">The system has too few threads. Nothing is reserved.</exception>
    public void Reserve(int count)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _jobs.EnsureCapacity(_jobs.Count + _reserved + count);
            _reserved += count;
        }

        try
        {
            while (TryAnnounce())
            {
                StartAnnounced();
            }
        }
        catch (OutOfMemoryException)
        {
            Unreserve(count);
            throw;
        }
    }

    /// <summary>Returns reserved threads that are not needed.</summary>
    public void Unreserve(int count)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _reserved -= count;
            if (_isStopping)
            {
                Monitor.PulseAll(_gate);
            }
        }
    }

    /// <summary>Runs a job on a reserved thread. Allocates no memory.</summary>
    public void Run(Action job)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _reserved--;
            _busy++;
            _jobs.Enqueue(job);
            Monitor.Pulse(_gate);
        }
    }

    /// <summary>Runs a job on a thread that was not reserved.</summary>
    /// <returns>False if the system has no thread for it. The job does not run then.</returns>
    public bool TryRun(Action job)
    {
        try
        {
            Reserve(1);
        }
        catch (OutOfMemoryException)
        {
            return false;
        }

        Run(job);
        return true;
    }

    /// <summary>
    /// Runs an action on a thread of its own, and waits for its end. <see cref="Thread.Interrupt"/> ends neither:
    /// <see cref="System.Diagnostics.Process"/> loses a child whose start is interrupted.
    /// </summary>
    /// <exception cref="OutOfMemoryException">The system has no thread. The action has not begun.</exception>
    /// <exception cref="Exception">The action threw this exception.</exception>
    public void RunAndWait(Action action)
    {
        object gate = new();
        bool isOver = false;
        ExceptionDispatchInfo? failure = null;
        Action job = () =>
        {
            try
            {
                action();
            }
            catch (Exception exception)
            {
                failure = ExceptionDispatchInfo.Capture(exception);
            }

            using (Uninterruptible.Lock(gate))
            {
                isOver = true;
                Monitor.Pulse(gate);
            }
        };
        Reserve(1);
        Run(job);
        using (Uninterruptible.Lock(gate))
        {
            Uninterruptible.Do(gate, gate =>
            {
                // Asked again after an interrupt, which can take the pulse with it.
                while (!isOver)
                {
                    Monitor.Wait(gate);
                }
            });
        }

        failure?.Throw();
    }

    /// <summary>
    /// Ends the idle threads. A thread that is blocked ends when its job does, and one that is reserved after its job.
    /// </summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isStopping = true;
            Monitor.PulseAll(_gate);
        }
    }

    private bool TryAnnounce()
    {
        using (Uninterruptible.Lock(_gate))
        {
            bool isMissing = _threads < _busy + _reserved;
            _threads += isMissing ? 1 : 0;
            return isMissing;
        }
    }

    private void StartAnnounced()
    {
        try
        {
            OwnThread.Start(Name, Loop);
        }
        catch (OutOfMemoryException)
        {
            using (Uninterruptible.Lock(_gate))
            {
                _threads--;
            }

            throw;
        }
    }

    private void Loop()
    {
        try
        {
            while (RunNext())
            {
            }
        }
        catch (Exception exception)
        {
            Environment.FailFast("ProcessRunner: a worker thread met a broken invariant.", exception);
        }
    }

    // Not inlined, so that no local of the loop keeps a finished run alive while the thread waits.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool RunNext()
    {
        if (Take() is not Action job)
        {
            return false;
        }

        job();
        using (Uninterruptible.Lock(_gate))
        {
            _busy--;
        }

        return true;
    }

    private Action? Take()
    {
        using (Uninterruptible.Lock(_gate))
        {
            Action? job;
            bool isInTime = true;
            while (!_jobs.TryDequeue(out job)
                && ((isInTime && !_isStopping) || _threads <= _busy + _reserved))
            {
                isInTime = Monitor.Wait(_gate, s_idle);
            }

            _threads -= job is null ? 1 : 0;
            return job;
        }
    }
}
