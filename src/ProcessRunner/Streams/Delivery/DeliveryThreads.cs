using System;
using System.Collections.Generic;
using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Threads on which user code is called: as many as there are calls under way, so that one that blocks holds up nobody
/// else. One that has had nothing to do for some seconds ends.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards everything; it is taken inside a child's gate by <see cref="Post"/> and never held while a job
/// runs. Jobs handle the exceptions of user code themselves: one that escapes is a broken invariant.
/// </remarks>
internal sealed class DeliveryThreads : IDisposable
{
    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(5);

    private readonly object _gate = new();
    private readonly Queue<Action> _jobs = new();
    private int _threads;
    private int _idle;
    private bool _stopping;

    /// <summary>The number of threads now.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _threads;
            }
        }
    }

    /// <summary>Has a job run as soon as a thread is free, or else on a new one.</summary>
    public void Post(Action job)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _jobs.Enqueue(job);
            if (_idle >= _jobs.Count)
            {
                Monitor.Pulse(_gate);
                return;
            }

            _threads++;
        }

        new Thread(Loop) { Name = "ProcessRunner delivery", IsBackground = true }.UnsafeStart();
    }

    /// <summary>Lets idle threads end. One that sits in user code ends when that returns.</summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _stopping = true;
            Monitor.PulseAll(_gate);
        }
    }

    private void Loop()
    {
        try
        {
            while (Take() is Action job)
            {
                job();
            }
        }
        catch (Exception exception)
        {
            Environment.FailFast("ProcessRunner: a delivery thread met a broken invariant.", exception);
        }
    }

    private Action? Take()
    {
        lock (_gate)
        {
            _idle++;
            bool isInTime = true;
            while (_jobs.Count == 0 && isInTime && !_stopping)
            {
                isInTime = Monitor.Wait(_gate, s_idle);
            }

            _idle--;
            if (_jobs.TryDequeue(out Action? job))
            {
                return job;
            }

            _threads--;
            return null;
        }
    }
}
