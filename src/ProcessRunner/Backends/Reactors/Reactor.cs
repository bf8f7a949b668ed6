using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Reactors;

/// <summary>Represents one event loop: its event queue, its thread, its children and their deadlines.</summary>
/// <remarks>
/// <para>Constraints: a child is registered by the thread that started it and signaled from any thread. An event
/// fetched earlier may name a slot that has a new tenant by now.</para>
/// <para>Scheme: <c>_gate</c> guards the slot table, the deadlines and the choice of the thread. The loop takes it to
/// resolve events into children, releases it, and only then takes each child's gate to handle the event: a child's gate
/// is always the outer lock. An event carries the token of its child (<see cref="SlotTable"/>). An exception that
/// escapes a handler is a broken invariant, and ends the process rather than losing the children's output.</para>
/// </remarks>
internal abstract class Reactor(int index) : IDeadlineKeeper, IDisposable
{
    private readonly object _gate = new();
    private readonly DeadlineHeap _deadlines = new();
    private readonly SlotTable _slots = new();
    private readonly List<ReactorThread> _replaced = [];
    private ReactorThread _serving = null!;
    private long _sleepsUntil = long.MinValue;
    private bool _isStopping;

    /// <summary>
    /// Gets the number of the reactor's threads: the serving thread, and each replaced thread that still hangs in a
    /// start.
    /// </summary>
    public int ThreadCount
    {
        get
        {
            using (Uninterruptible.Lock(_gate))
            {
                return 1 + _replaced.Count(thread => thread.IsAlive);
            }
        }
    }

    /// <summary>Gets whether the serving thread is starting a child.</summary>
    public bool IsStarting => Volatile.Read(ref _serving).StartSince != MonotonicClock.Never;

    /// <summary>Gets the actions that run once the reactor has nothing else to do.</summary>
    public IdleActions IdleActions { get; } = new();

    /// <summary>Gets the number of registered children as of a moment ago, without taking the lock.</summary>
    public int Load => _slots.Count;

    /// <summary>Gets the number of registered children.</summary>
    public int Count
    {
        get
        {
            using (Uninterruptible.Lock(_gate))
            {
                return _slots.Count;
            }
        }
    }

    /// <summary>Gets the lock of the slot table, for the loop.</summary>
    protected object Gate => _gate;

    /// <summary>Assigns a slot to the child.</summary>
    /// <returns>The token of the child.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory for the registration. Nothing has changed.</exception>
    public ulong Register(BackendChild child)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _deadlines.Admit(child);
            try
            {
                return _slots.Add(child);
            }
            catch (OutOfMemoryException)
            {
                _deadlines.Remove(child);
                throw;
            }
        }
    }

    /// <summary>Frees the child's slot. Events in flight resolve to nothing from now on.</summary>
    public void Unregister(BackendChild child, ulong token)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _slots.Remove(token);
            _deadlines.Remove(child);
        }
    }

    public void Admit(TimedEntry entry)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _deadlines.Admit(entry);
        }
    }

    public void Dismiss(TimedEntry entry)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _deadlines.Remove(entry);
        }
    }

    public void SetDeadline(TimedEntry entry, long instant)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _deadlines.Set(entry, instant);
            if (instant < _sleepsUntil)
            {
                _sleepsUntil = long.MinValue;
                WakeUnlessStopping();
            }
        }
    }

    /// <summary>Runs an action once the reactor has nothing else to do.</summary>
    /// <param name="action">The action.</param>
    /// <param name="thread">The calling thread, which serves the reactor or did so until a moment ago.</param>
    public void DoWhenIdle(Action action, ReactorThread thread)
    {
        IdleActions.Add(action);
        if (!IsServedBy(thread))
        {
            // The successor may have begun to sleep before the action was there.
            using (Uninterruptible.Lock(_gate))
            {
                WakeUnlessStopping();
            }
        }
    }

    /// <summary>Returns the children that are registered now.</summary>
    public IReadOnlyList<BackendChild> Children()
    {
        using (Uninterruptible.Lock(_gate))
        {
            return _slots.Children();
        }
    }

    /// <summary>Ends the thread. All children must have been released.</summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isStopping = true;
            Wake();
        }

        _serving.Join();
        _replaced.ForEach(thread => thread.Join());
        Close();
    }

    /// <summary>Returns whether a thread currently serves the reactor.</summary>
    public bool IsServedBy(ReactorThread thread) => Volatile.Read(ref _serving) == thread;

    /// <summary>
    /// Gives the reactor another thread if a start takes too long on the serving one. Any thread except the reactor's
    /// own may call this.
    /// </summary>
    /// <param name="patience">The longest time that a start may take.</param>
    public void ReplaceHungThread(TimeSpan patience)
    {
        using (Uninterruptible.Lock(_gate))
        {
            // Without a start, that instant never comes.
            if (_isStopping || MonotonicClock.Now < MonotonicClock.After(_serving.StartSince, patience))
            {
                return;
            }

            try
            {
                ReactorThread next = CreateThread(index);
                next.Start();
                _replaced.RemoveAll(thread => !thread.IsAlive);
                _replaced.Add(_serving);
                Volatile.Write(ref _serving, next);
            }
            catch (OutOfMemoryException)
            {
                // No thread is available now. The watchdog tries again.
            }
        }
    }

    /// <summary>
    /// Determines how long the thread may sleep. Only the reactor's threads call this method and the following ones.
    /// </summary>
    /// <returns>False if the thread must end.</returns>
    public bool PrepareSleep(ReactorThread thread, out int timeout)
    {
        lock (_gate)
        {
            _sleepsUntil = _deadlines.Earliest;
            timeout = _sleepsUntil == MonotonicClock.Never
                ? Timeout.Infinite
                : MonotonicClock.MillisecondsUntil(_sleepsUntil, MonotonicClock.Now);
            return !_isStopping && _serving == thread;
        }
    }

    /// <summary>Returns the number of deadlines.</summary>
    public int CountDeadlines()
    {
        lock (_gate)
        {
            return _deadlines.Count;
        }
    }

    /// <summary>Removes and returns an entry whose deadline is not after an instant.</summary>
    /// <returns>Null if there is no such entry.</returns>
    public TimedEntry? TakeExpired(long now)
    {
        lock (_gate)
        {
            return _deadlines.TakeExpired(now);
        }
    }

    /// <summary>Begins to serve, once the queue of events exists.</summary>
    /// <exception cref="OutOfMemoryException">No thread is available.</exception>
    protected void Begin()
    {
        _serving = CreateThread(index);
        _serving.Start();
    }

    /// <summary>Notes that the thread sleeps no longer. Requires the gate.</summary>
    protected void NoteAwake() => _sleepsUntil = long.MinValue;

    /// <summary>Finds the child of an event. Requires the gate.</summary>
    protected BackendChild? Find(ulong token) => _slots.Find(token);

    /// <summary>Creates a thread, which is started later.</summary>
    protected abstract ReactorThread CreateThread(int index);

    /// <summary>Wakes the thread. Requires the gate.</summary>
    protected abstract void Wake();

    /// <summary>Closes the queue of events, after the thread has ended.</summary>
    protected abstract void Close();

    // A timer can be set at any time. Once the reactor stops, what wakes its thread is closed. Requires the gate.
    private void WakeUnlessStopping()
    {
        if (!_isStopping)
        {
            Wake();
        }
    }
}
