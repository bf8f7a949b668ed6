using System;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Reactors;

/// <summary>
/// Represents the watch over starts on the reactors' threads. An exec can hang for as long as a file system, a lease or
/// a file watcher delays it. A reactor whose thread hangs in this way gets another thread, and its children are not
/// affected.
/// </summary>
/// <remarks>
/// The watchdog has one thread, which is created for the first start on a reactor. While there are such starts it
/// checks them every 25 ms, so that a start costs no more than a note; then it sleeps. <c>_gate</c> guards
/// the thread. The locks of reactors are taken outside it.
/// </remarks>
internal sealed class StartWatchdog : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(25);
    private static readonly TimeSpan s_rest = TimeSpan.FromSeconds(1);

    private readonly object _gate = new();
    private readonly Reactor[] _reactors;
    private Thread? _thread;
    private long _lastStartAt;
    private bool _isAwake;
    private bool _isStopping;

    /// <param name="reactors">The reactors whose threads start children; filled in before the first start.</param>
    public StartWatchdog(Reactor[] reactors) => _reactors = reactors;

    /// <summary>Gets whether the watchdog's thread runs.</summary>
    public bool IsRunning => Volatile.Read(ref _thread) is not null;

    /// <summary>Notes that a start begins on the calling thread.</summary>
    /// <returns>The calling thread if it serves a reactor. The caller must report the end of the start to it.</returns>
    public ReactorThread? OnStart()
    {
        if (ReactorThread.Current is not ReactorThread thread)
        {
            return null;
        }

        thread.BeginStart();
        _lastStartAt = thread.StartSince;

        // Either the watchdog sees this start before it falls asleep, or this thread sees that the watchdog sleeps.
        Interlocked.MemoryBarrier();
        if (!Volatile.Read(ref _isAwake))
        {
            WakeUp();
        }

        return thread;
    }

    /// <summary>Ends the thread.</summary>
    public void Dispose()
    {
        Thread? thread;
        using (Uninterruptible.Lock(_gate))
        {
            _isStopping = true;
            thread = _thread;
            Monitor.Pulse(_gate);
        }

        if (thread is not null)
        {
            Uninterruptible.Do(thread, static thread => thread.Join());
        }
    }

    private void WakeUp()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isAwake = true;
            if (_thread is not null)
            {
                Monitor.Pulse(_gate);
            }
            else if (!_isStopping)
            {
                _isAwake = TryCreateThread();
            }
        }
    }

    // If no thread is available now, the next start tries again.
    private bool TryCreateThread()
    {
        try
        {
            _thread = OwnThread.Start("ProcessRunner watchdog", Loop);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    private void Loop()
    {
        try
        {
            while (Sleep())
            {
                foreach (Reactor reactor in _reactors)
                {
                    reactor.ReplaceHungThread(s_patience);
                }
            }
        }
        catch (Exception exception)
        {
            Environment.FailFast("ProcessRunner: the watchdog met a broken invariant.", exception);
        }
    }

    // Returns false when the watchdog must end.
    private bool Sleep()
    {
        lock (_gate)
        {
            if (!_isStopping)
            {
                Monitor.Wait(_gate, s_interval);
            }

            while (!_isStopping && MonotonicClock.Now >= MonotonicClock.After(Volatile.Read(ref _lastStartAt), s_rest))
            {
                Volatile.Write(ref _isAwake, false);
                Interlocked.MemoryBarrier();
                if (Array.Exists(_reactors, reactor => reactor.IsStarting))
                {
                    Volatile.Write(ref _isAwake, true);
                    break;
                }

                Monitor.Wait(_gate);
            }

            return !_isStopping;
        }
    }
}
