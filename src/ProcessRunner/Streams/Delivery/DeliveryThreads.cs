using System;
using System.Runtime.CompilerServices;
using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Threads on which user code is called: as many as there are calls under way, so that one that blocks holds up nobody
/// else. One that has had nothing to do for some seconds ends, but for the last one.
/// </summary>
/// <remarks>
/// <para><c>_gate</c> guards everything; it is taken inside a child's gate by <see cref="Post"/> and never held while a job
/// runs, a thread is made or the timer is set. Jobs handle the exceptions of user code, and what the system fails in,
/// themselves: one that escapes is a broken invariant.</para>
/// <para>A job for which no thread can be made stays in the queue. The threads that live take it as soon as they are free,
/// and as long as it waits there a timer of a reactor tries to make another thread for it. The first one is made together with
/// the engine, so that there is always one.</para>
/// <para>Each job is done in the context that it was made with, as <c>Task.Run</c> would do it, and leaves nothing behind: neither
/// a context nor a culture, name or priority of the thread.</para>
/// </remarks>
internal sealed class DeliveryThreads : IDisposable
{
    private const string Name = "ProcessRunner delivery";

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
    private bool _stopping;

    /// <exception cref="OutOfMemoryException">There is not even one thread to be had.</exception>
    public DeliveryThreads(ProcessBackend backend)
    {
        _retry = backend.CreateTimer(_ => StartMissing());
        _threads = 1;
        _starting = 1;
        StartOne();
    }

    /// <summary>The number of threads now.</summary>
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

    /// <summary>
    /// Has a job run as soon as a thread is free, or else on a new one. Takes no memory. One that stands in the queue already
    /// is done once.
    /// </summary>
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

        StartAnnounced();
    }

    /// <summary>Lets idle threads end. One that sits in user code ends when that returns.</summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _stopping = true;
            Monitor.PulseAll(_gate);
        }

        _retry.Dispose();
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
            _first = job.Next;
            _last = _first is null ? null : _last;
            _jobs--;
            job.Next = null;
            job.IsQueued = false;
        }

        return job;
    }

    // On a reactor's thread.
    private void StartMissing()
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (!TryAnnounce())
            {
                return;
            }
        }

        StartAnnounced();
    }

    // With the gate held. False if every job has a thread that is free for it or about to be there.
    private bool TryAnnounce()
    {
        if (_jobs <= _idle + _starting)
        {
            return false;
        }

        _threads++;
        _starting++;
        return true;
    }

    private void StartAnnounced()
    {
        try
        {
            StartOne();
        }
        catch (OutOfMemoryException)
        {
            using (Uninterruptible.Lock(_gate))
            {
                _threads--;
                _starting--;
            }

            _retry.Set(MonotonicClock.After(MonotonicClock.Now, s_retryInterval));
        }
    }

    private void StartOne() => OwnThread.Start(Name, Loop);

    private void Loop()
    {
        try
        {
            // That of a new thread is the default one.
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

        // User code may have interrupted its thread, or have had somebody else do so. The next job is not to blame.
        Uninterruptible.Forget();
        return true;
    }

    // What else user code may have done to its thread; its context is gone with the job.
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
            while (_jobs == 0 && !_stopping && (isInTime || _threads == 1))
            {
                isInTime = Wait();
            }

            _idle--;
            DeliveryJob? job = Dequeue();
            _threads -= job is null ? 1 : 0;
            return job;
        }
    }

    // False if there was nothing to do for long.
    private bool Wait()
    {
        try
        {
            return Monitor.Wait(_gate, _threads == 1 ? Timeout.InfiniteTimeSpan : s_idle);
        }
        catch (ThreadInterruptedException)
        {
            // It comes too late for the job that it was meant for.
            return true;
        }
    }
}
