using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// An epoll, the thread that sleeps in it, the children registered there and their deadlines.
/// </summary>
/// <remarks>
/// <para>Constraints: a child is registered from the thread that started it and signalled from any; its descriptors
/// are closed by the reactor; an event that was fetched before may name a slot that has a new tenant since.</para>
/// <para>Scheme: the slot table and the deadlines are guarded by <c>_gate</c>. The loop takes that lock to resolve a
/// batch of events into children, lets go of it, and only then takes each child's gate to handle the event: a child's
/// gate is always the outer lock. An event carries slot, generation and descriptor kind; one whose generation is over
/// resolves to nothing. The epoll object itself is safe to use from any thread. An exception that escapes a handler is
/// a broken invariant, and ends the process rather than the children's output.</para>
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class EpollReactor : IDisposable
{
    private const ulong WakerToken = ulong.MaxValue;

    private static readonly TimeSpan s_longestDelay = TimeSpan.FromMilliseconds(1);

    private readonly object _gate = new();
    private readonly int _index;
    private readonly DeadlineHeap _deadlines = new();
    private readonly Stack<int> _freeSlots = new();
    private readonly List<Slot> _slots = [];

    // What is to be done before the thread sleeps, and when at the latest. Guarded by the list, innermost.
    private readonly List<Action> _idleActions = [];
    private long _idleActionsDue;

    private readonly List<ReactorThread> _replaced = [];
    private ReactorThread _serving;
    private OwnedDescriptor _epoll;
    private OwnedDescriptor _waker;
    private long _sleepsUntil = long.MinValue;
    private int _load;
    private bool _isClosed;
    private bool _stopping;

    /// <exception cref="Win32Exception">Out of descriptors.</exception>
    /// <exception cref="OutOfMemoryException">There is no thread to be had. Nothing is left open.</exception>
    public EpollReactor(int index)
    {
        try
        {
            _epoll = OwnedDescriptor.From(LibC.EpollCreate(LibC.EPOLL_CLOEXEC), "epoll_create1");
            _waker = OwnedDescriptor.From(LibC.EventFd(0, LibC.EFD_CLOEXEC | LibC.EFD_NONBLOCK), "eventfd");
            OwnedDescriptor.ThrowIfFailed(TryAdd(_waker.Number, WakerToken, LibC.EPOLLIN) ? 0 : -1, "epoll_ctl");
            _index = index;
            _serving = new ReactorThread(this, index);
            _serving.Start();
        }
        catch
        {
            CloseDescriptors();
            throw;
        }
    }

    /// <summary>The number of its threads: one, and those that hang in a start.</summary>
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

    /// <summary>Whether a start is under way on its thread.</summary>
    public bool IsStarting => Volatile.Read(ref _serving).StartSince != MonotonicClock.Never;

    /// <summary>The number of registered children, as it was a moment ago.</summary>
    public int Load => Volatile.Read(ref _load);

    /// <summary>The number of registered children.</summary>
    public int Count
    {
        get
        {
            using (Uninterruptible.Lock(_gate))
            {
                return _load;
            }
        }
    }

    /// <summary>Gives the child a slot. Its descriptors follow by <see cref="TryAdd"/>.</summary>
    /// <exception cref="ObjectDisposedException">It is closed for starts.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for it. Nothing has changed.</exception>
    public ulong Register(LinuxChild child)
    {
        using (Uninterruptible.Lock(_gate))
        {
            ObjectDisposedException.ThrowIf(_isClosed, typeof(ProcessEngine));
            _deadlines.Admit(child);
            int index = TakeSlot(child);
            _load++;
            Slot slot = new(child, _slots[index].Generation + 1);
            _slots[index] = slot;
            return EventToken.Of(index, slot.Generation);
        }
    }

    /// <summary>Gives the slot back; events that are under way resolve to nothing from now on.</summary>
    public void Unregister(LinuxChild child, ulong token)
    {
        using (Uninterruptible.Lock(_gate))
        {
            int index = EventToken.Slot(token);
            _slots[index] = _slots[index] with { Child = null };
            _freeSlots.Push(index);
            _load--;
            _deadlines.Remove(child);
        }
    }

    /// <summary>Keeps the time for a timer; any thread.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it.</exception>
    public void AddTimer(ReactorTimer timer)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _deadlines.Admit(timer);
        }
    }

    /// <summary>Keeps its time no longer; any thread.</summary>
    public void RemoveTimer(ReactorTimer timer)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _deadlines.Remove(timer);
        }
    }

    /// <summary>Adds a descriptor to the epoll; any thread.</summary>
    /// <returns>False if the kernel is out of memory, or the user of watches (epoll(7), max_user_watches); errno tells.</returns>
    public bool TryAdd(int descriptor, ulong token, uint interest)
    {
        int result = Control(LibC.EPOLL_CTL_ADD, descriptor, token, interest);
        return result == 0 || Marshal.GetLastPInvokeError() switch
        {
            Errno.ENOMEM or Errno.ENOSPC => false,
            int error => throw new Win32Exception(error, $"epoll_ctl: {Marshal.GetPInvokeErrorMessage(error)}"),
        };
    }

    /// <summary>Changes what a descriptor in the epoll is watched for; any thread. It takes no memory of the kernel.</summary>
    public void Change(int descriptor, ulong token, uint interest) =>
        OwnedDescriptor.ThrowIfFailed(Control(LibC.EPOLL_CTL_MOD, descriptor, token, interest), "epoll_ctl");

    /// <summary>
    /// Takes a descriptor out. A close alone would not do: the child of a concurrent start may hold a copy of the
    /// file description between its clone and its exec, and the registration lives as long as that.
    /// </summary>
    public void Remove(int descriptor)
    {
        int result = LibC.EpollControl(_epoll.Number, LibC.EPOLL_CTL_DEL, descriptor, null);
        OwnedDescriptor.ThrowIfFailed(result, "epoll_ctl");
    }

    /// <summary>Moves a deadline; any thread. Takes no memory.</summary>
    public void SetDeadline(TimedEntry entry, long instant)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _deadlines.Set(entry, instant);
            if (instant < _sleepsUntil)
            {
                _sleepsUntil = long.MinValue;
                Wake();
            }
        }
    }

    /// <summary>Has something done once nothing else is to be done.</summary>
    public void DoWhenIdle(Action action)
    {
        using (Uninterruptible.Lock(_idleActions))
        {
            if (_idleActions.Count == 0)
            {
                _idleActionsDue = MonotonicClock.After(MonotonicClock.Now, s_longestDelay);
            }

            if (!_idleActions.Contains(action))
            {
                _idleActions.Add(action);
            }
        }
    }

    /// <summary>The children that are registered now.</summary>
    public IReadOnlyList<LinuxChild> Children()
    {
        using (Uninterruptible.Lock(_gate))
        {
            return [.. _slots.Select(slot => slot.Child).OfType<LinuxChild>()];
        }
    }

    /// <summary>Lets no further child register.</summary>
    public void CloseForStarts()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isClosed = true;
        }
    }

    /// <summary>Ends the thread; its children must have been released.</summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _stopping = true;
            Wake();
        }

        _serving.Join();
        _replaced.ForEach(thread => thread.Join());
        CloseDescriptors();
    }

    /// <summary>Whether a thread is the one that serves it now.</summary>
    public bool IsServedBy(ReactorThread thread) => Volatile.Read(ref _serving) == thread;

    /// <summary>Gives the reactor another thread if a start takes too long on its own. Any thread but these.</summary>
    /// <param name="patience">How long a start may take.</param>
    public void ReplaceHungThread(TimeSpan patience)
    {
        using (Uninterruptible.Lock(_gate))
        {
            long since = _serving.StartSince;
            if (_stopping || since == MonotonicClock.Never || MonotonicClock.Now < MonotonicClock.After(since, patience))
            {
                return;
            }

            try
            {
                ReactorThread next = new(this, _index);
                next.Start();
                _replaced.RemoveAll(thread => !thread.IsAlive);
                _replaced.Add(_serving);
                Volatile.Write(ref _serving, next);
            }
            catch (OutOfMemoryException)
            {
                // There is no thread to be had now. The watchdog comes again.
            }
        }
    }

    // With the gate held. To give it back takes no memory.
    private int TakeSlot(LinuxChild child)
    {
        try
        {
            if (!_freeSlots.TryPop(out int index))
            {
                _freeSlots.EnsureCapacity(_slots.Count + 1);
                index = _slots.Count;
                _slots.Add(default);
            }

            return index;
        }
        catch (OutOfMemoryException)
        {
            _deadlines.Remove(child);
            throw;
        }
    }

    private int Control(int operation, int descriptor, ulong token, uint interest)
    {
        byte* memory = stackalloc byte[EpollEvents.Size];
        EpollEvents events = new(memory);
        events.Set(0, interest, token);
        return LibC.EpollControl(_epoll.Number, operation, descriptor, events.Address);
    }

    private void CloseDescriptors()
    {
        _waker.Close();
        _epoll.Close();
    }

    private void Wake() => LibC.SetEvent(_waker.Number);

    /// <summary>Says how long the thread may sleep. By the thread that serves it, as what follows.</summary>
    /// <returns>False if the thread is to end.</returns>
    public bool PrepareSleep(ReactorThread thread, out int timeout)
    {
        lock (_gate)
        {
            _sleepsUntil = _deadlines.Earliest;
            timeout = _sleepsUntil == MonotonicClock.Never
                ? -1
                : MonotonicClock.MillisecondsUntil(_sleepsUntil, MonotonicClock.Now);
            return !_stopping && _serving == thread;
        }
    }

    /// <summary>Sleeps until there are events, for so many milliseconds at most.</summary>
    /// <returns>The number of events.</returns>
    public int Sleep(EpollEvents events, int capacity, int timeout)
    {
        int count = LibC.EpollWait(_epoll.Number, events.Address, capacity, timeout);
        if (count < 0 && Marshal.GetLastPInvokeError() != Errno.EINTR)
        {
            OwnedDescriptor.ThrowIfFailed(count, "epoll_wait");
        }

        return count;
    }

    /// <summary>Finds the children whom events are about.</summary>
    /// <returns>The number of those that are still there.</returns>
    public int Resolve(EpollEvents events, int count, (LinuxChild Child, ulong Token)[] ready)
    {
        int resolved = 0;
        lock (_gate)
        {
            _sleepsUntil = long.MinValue;
            for (int i = 0; i < count; i++)
            {
                ulong token = events.Data(i);
                if (token == WakerToken)
                {
                    LibC.ResetEvent(_waker.Number);
                    continue;
                }

                Slot slot = _slots[EventToken.Slot(token)];
                if (slot.Child is LinuxChild child && slot.Generation == EventToken.Generation(token))
                {
                    ready[resolved++] = (child, token);
                }
            }
        }

        return resolved;
    }

    /// <summary>The number of deadlines.</summary>
    public int CountDeadlines()
    {
        lock (_gate)
        {
            return _deadlines.Count;
        }
    }

    /// <summary>Takes a deadline that has passed.</summary>
    /// <returns>Null if there is none.</returns>
    public TimedEntry? TakeExpired()
    {
        lock (_gate)
        {
            return _deadlines.TakeExpired(MonotonicClock.Now);
        }
    }

    /// <summary>Whether there is something to do before the thread sleeps.</summary>
    public bool HasIdleActions => _idleActions.Count > 0;

    /// <summary>Does what was to be done when idle.</summary>
    /// <param name="isIdle">Whether there is nothing else to do; else it is done only if it has waited long enough.</param>
    public void DoIdleActions(bool isIdle)
    {
        int count;
        lock (_idleActions)
        {
            count = isIdle || MonotonicClock.Now >= _idleActionsDue ? _idleActions.Count : 0;
        }

        for (; count > 0; count--)
        {
            DoIdleAction();
        }
    }

    private void DoIdleAction()
    {
        Action action;
        lock (_idleActions)
        {
            action = _idleActions[0];
            _idleActions.RemoveAt(0);
        }

        try
        {
            action();
        }
        catch (OutOfMemoryException)
        {
            DoWhenIdle(action);
        }
    }

    private readonly record struct Slot(LinuxChild? Child, uint Generation);
}
