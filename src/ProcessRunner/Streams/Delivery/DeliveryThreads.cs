using System;
using System.Runtime.CompilerServices;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Provides the threads that call user code: one for each call under way, so that a call that blocks holds up no other.
/// A thread that has been idle for some seconds ends, except for the last one.
/// </summary>
/// <remarks>
/// <para><c>_gate</c> guards everything. <see cref="Post"/> acquires it inside a child's gate. It is never held while a
/// job runs, a thread is created or the timer is set. Jobs handle exceptions of user code and system failures
/// themselves: an exception that escapes is a broken invariant.</para>
/// <para>A job for which no thread can be created stays in the queue. The live threads take it as soon as they are
/// free, and a timer of a reactor tries to create another thread as long as the job waits. The first thread is created
/// together with the engine, so that there is always one. If no thread has taken a job from one expiry of that timer to
/// the next, it takes out the jobs that are not to wait: the user code on all threads may wait for them. At the end of
/// the engine there is no timer: its disposal waits until each job has a thread, and so does a thread that posts
/// another job while none of these lives.</para>
/// <para>Each job runs in the context it was created with, like a job of <c>Task.Run</c>, and leaves nothing behind: no
/// context, and no culture, name or priority of the thread.</para>
/// </remarks>
internal sealed class DeliveryThreads : IDeliveryThreads
{
    private const string Name = "ProcessRunner delivery";

    [ThreadStatic]
    private static DeliveryThreads? s_current;

    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_retryInterval = TimeSpan.FromMilliseconds(20);

    private readonly object _gate = new();
    private readonly BackendTimer _retry;
    private DeliveryJob? _first;
    private DeliveryJob? _last;
    private int _jobs;
    private int _threads;
    private int _starting;
    private int _idle;
    private long _taken;
    private long _takenBefore;
    private bool _isStopping;

    /// <summary>Creates the first thread.</summary>
    /// <exception cref="OutOfMemoryException">Not even one thread can be created.</exception>
    public DeliveryThreads(ProcessBackend backend)
    {
        _retry = backend.CreateTimer(_ => StartMissing());
        _threads = 1;
        _starting = 1;
        StartOne();
    }

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

    public void Post(DeliveryJob job)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (job.IsQueued)
            {
                return;
            }

            Enqueue(job);
            if (!TryAnnounce())
            {
                Monitor.Pulse(_gate);
                return;
            }
        }

        if (!TryStartAnnounced())
        {
            TryLater();
        }
    }

    /// <summary>
    /// Ends the idle threads. A thread inside user code ends when the code returns. The timers of the backend have
    /// ended, so this waits until each job has a thread.
    /// </summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isStopping = true;
            Monitor.PulseAll(_gate);
        }

        _retry.Dispose();
        AwaitThreads();
    }

    private void TryLater()
    {
        bool isTimed;
        bool isLost;
        using (Uninterruptible.Lock(_gate))
        {
            isTimed = !_isStopping;
            isLost = _isStopping && _threads == 0;
        }

        if (isTimed)
        {
            _retry.Set(MonotonicClock.In(s_retryInterval));
        }
        else if (isLost)
        {
            // No thread that lives could wait for a lock of the caller.
            AwaitThreads();
        }
    }

    // A thread of ours that posts or disposes takes the jobs itself, once its own is over.
    private void AwaitThreads()
    {
        while (s_current != this && !TryStartMissing())
        {
            using (Uninterruptible.Lock(_gate))
            {
                Uninterruptible.Do(_gate, static gate => Monitor.Wait(gate, s_retryInterval));
            }
        }
    }

    private void Enqueue(DeliveryJob job)
    {
        job.IsQueued = true;
        if (_last is null)
        {
            _first = job;
        }
        else
        {
            _last.Next = job;
        }

        _last = job;
        _jobs++;
    }

    private DeliveryJob? Dequeue()
    {
        DeliveryJob? job = _first;
        if (job is not null)
        {
            Remove(job, before: null);
        }

        return job;
    }

    private void Remove(DeliveryJob job, DeliveryJob? before)
    {
        if (before is null)
        {
            _first = job.Next;
        }
        else
        {
            before.Next = job.Next;
        }

        _last = _last == job ? before : _last;
        _jobs--;
        job.Next = null;
        job.IsQueued = false;
    }

    // Runs on a reactor's thread.
    private void StartMissing()
    {
        if (TryStartMissing())
        {
            return;
        }

        TryLater();
        if (StandStill())
        {
            while (TakeRefused() is DeliveryJob refused)
            {
                refused.OnRefused!();
            }
        }
    }

    // Returns false if a job has no thread, and none can be created.
    private bool TryStartMissing()
    {
        bool isAnnounced;
        do
        {
            using (Uninterruptible.Lock(_gate))
            {
                isAnnounced = TryAnnounce();
            }
        }
        while (isAnnounced && TryStartAnnounced());

        return !isAnnounced;
    }

    // Returns whether no job has been taken since the last time.
    private bool StandStill()
    {
        using (Uninterruptible.Lock(_gate))
        {
            bool standsStill = _taken == _takenBefore;
            _takenBefore = _taken;
            return standsStill;
        }
    }

    // Returns null if no job is left that has no thread and is not to wait for one.
    private DeliveryJob? TakeRefused()
    {
        using (Uninterruptible.Lock(_gate))
        {
            DeliveryJob? before = null;
            DeliveryJob? job = _jobs > _idle + _starting ? _first : null;
            while (job is { OnRefused: null })
            {
                before = job;
                job = job.Next;
            }

            if (job is not null)
            {
                Remove(job, before);
            }

            return job;
        }
    }

    // Requires the gate. Returns false if every job has a thread that is free or about to start.
    private bool TryAnnounce()
    {
        Uninterruptible.AssertHeld(_gate);
        if (_jobs <= _idle + _starting)
        {
            return false;
        }

        _threads++;
        _starting++;
        return true;
    }

    // Returns false if no thread is available.
    private bool TryStartAnnounced()
    {
        try
        {
            StartOne();
            return true;
        }
        catch (OutOfMemoryException)
        {
            using (Uninterruptible.Lock(_gate))
            {
                _threads--;
                _starting--;
            }

            return false;
        }
    }

    private void StartOne() => OwnThread.Start(Name, Loop);

    private void Loop()
    {
        s_current = this;
        try
        {
            // A new thread has the default context.
            ExecutionContext context = ExecutionContext.Capture()!;
            for (bool isNew = true; DoNext(context, isNew); isNew = false)
            {
            }
        }
        catch (Exception exception)
        {
            Environment.FailFast("ProcessRunner: a delivery thread met a broken invariant.", exception);
        }
    }

    // Not inlined, so that no local of the loop keeps a finished run alive while the thread waits.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool DoNext(ExecutionContext context, bool isNew)
    {
        if (Take(isNew) is not DeliveryJob job)
        {
            return false;
        }

        ExecutionContext.Run(job.Context ?? context, static job => ((DeliveryJob)job!).Action(), job);
        Clean();

        // User code may have caused an interrupt of its thread, which must not affect the next job.
        Uninterruptible.Forget();
        return true;
    }

    // Resets the other changes that user code may have made to its thread. Its context is gone with the job.
    private static void Clean()
    {
        Thread thread = Thread.CurrentThread;
        thread.IsBackground = true;
        if (thread.Priority != ThreadPriority.Normal)
        {
            thread.Priority = ThreadPriority.Normal;
        }

        if (thread.Name != Name)
        {
            thread.Name = Name;
        }
    }

    private DeliveryJob? Take(bool isNew)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _starting -= isNew ? 1 : 0;
            _idle++;
            bool isInTime = true;
            while (_jobs == 0 && !_isStopping && (isInTime || _threads == 1))
            {
                isInTime = Wait();
            }

            _idle--;
            DeliveryJob? job = Dequeue();
            _threads -= job is null ? 1 : 0;
            _taken += job is null ? 0 : 1;
            return job;
        }
    }

    // Returns false if there was no work for a long time.
    private bool Wait()
    {
        try
        {
            return Monitor.Wait(_gate, _threads == 1 ? Timeout.InfiniteTimeSpan : s_idle);
        }
        catch (ThreadInterruptedException)
        {
            // The interrupt comes too late for the job it was meant for.
            return true;
        }
    }
}
