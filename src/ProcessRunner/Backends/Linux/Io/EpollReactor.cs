using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Represents an epoll instance, the thread that sleeps in it, the children registered there and their deadlines.
/// </summary>
/// <remarks>
/// <para>Constraints: a child is registered by the thread that started it and signalled from any thread. The reactor
/// closes its descriptors. An event fetched earlier may name a slot that has a new tenant since.</para>
/// <para>Scheme: <c>_gate</c> guards the slot table, the deadlines and the choice of the thread. The loop takes it to
/// resolve a batch of events into children, releases it, and only then takes each child's gate to handle the event: a
/// child's gate is always the outer lock. An event carries the token of its child (<see cref="SlotTable"/>) and the
/// descriptor kind. The epoll instance itself is thread-safe. An exception that escapes a handler is a broken
/// invariant, and ends the process rather than losing the children's output.</para>
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class EpollReactor : IDeadlineKeeper, IDisposable
{
    private const ulong WakerToken = ulong.MaxValue;

    private readonly object _gate = new();
    private readonly int _index;
    private readonly DeadlineHeap _deadlines = new();
    private readonly SlotTable _slots = new();
    private readonly List<ReactorThread> _replaced = [];
    private ReactorThread _serving;
    private OwnedDescriptor _epoll;
    private OwnedDescriptor _waker;
    private long _sleepsUntil = long.MinValue;
    private bool _stopping;

    /// <exception cref="Win32Exception">The process or the system is out of descriptors.</exception>
    /// <exception cref="OutOfMemoryException">No thread is available. Nothing is left open.</exception>
    public EpollReactor(int index)
    {
        try
        {
            _epoll = OwnedDescriptor.From(LibC.EpollCreate(LibC.EPOLL_CLOEXEC), "epoll_create1");
            _waker = OwnedDescriptor.From(LibC.EventFd(0, LibC.EFD_CLOEXEC | LibC.EFD_NONBLOCK), "eventfd");
            SystemError.ThrowIfFailed(TryAdd(_waker.Number, WakerToken, LibC.EPOLLIN) ? 0 : -1, "epoll_ctl");
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

    /// <summary>Assigns a slot to the child. Its descriptors follow by <see cref="TryAdd"/>.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for the registration. Nothing has changed.</exception>
    public ulong Register(LinuxChild child)
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
    public void Unregister(LinuxChild child, ulong token)
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

    /// <summary>Adds a descriptor to the epoll instance. Thread-safe.</summary>
    /// <returns>
    /// False if the kernel is out of memory or the user is out of watches (epoll(7), max_user_watches); errno holds the
    /// reason.
    /// </returns>
    public bool TryAdd(int descriptor, ulong token, uint interest)
    {
        int result = Control(LibC.EPOLL_CTL_ADD, descriptor, token, interest);
        return result == 0 || Marshal.GetLastPInvokeError() switch
        {
            Errno.ENOMEM or Errno.ENOSPC => false,
            _ => throw SystemError.Of("epoll_ctl"),
        };
    }

    /// <summary>
    /// Changes the events that a registered descriptor is watched for. Thread-safe. Needs no kernel memory.
    /// </summary>
    public void Change(int descriptor, ulong token, uint interest) =>
        SystemError.ThrowIfFailed(Control(LibC.EPOLL_CTL_MOD, descriptor, token, interest), "epoll_ctl");

    /// <summary>
    /// Removes a descriptor. Closing it is not enough: the child of a concurrent start may hold a copy of the file
    /// description between its clone and its exec, and the registration lives as long as that copy.
    /// </summary>
    public void Remove(int descriptor)
    {
        int result = LibC.EpollControl(_epoll.Number, LibC.EPOLL_CTL_DEL, descriptor, null);
        SystemError.ThrowIfFailed(result, "epoll_ctl");
    }

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

    /// <summary>Returns the children that are registered now.</summary>
    public IReadOnlyList<LinuxChild> Children()
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
            _stopping = true;
            Wake();
        }

        _serving.Join();
        _replaced.ForEach(thread => thread.Join());
        CloseDescriptors();
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
            long since = _serving.StartSince;
            if (_stopping
                || since == MonotonicClock.Never
                || MonotonicClock.Now < MonotonicClock.After(since, patience))
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
                // No thread is available now. The watchdog tries again.
            }
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
                ? -1
                : MonotonicClock.MillisecondsUntil(_sleepsUntil, MonotonicClock.Now);
            return !_stopping && _serving == thread;
        }
    }

    /// <summary>Sleeps until events arrive, at most for the given number of milliseconds.</summary>
    /// <returns>The number of events.</returns>
    public int Sleep(EpollEvents events, int capacity, int timeout)
    {
        int count = LibC.EpollWait(_epoll.Number, events.Address, capacity, timeout);
        if (count < 0 && Marshal.GetLastPInvokeError() != Errno.EINTR)
        {
            SystemError.ThrowIfFailed(count, "epoll_wait");
        }

        return count;
    }

    /// <summary>Resolves events to the children that they belong to.</summary>
    /// <returns>The number of events whose children are still registered.</returns>
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

                if (_slots.Find(token) is LinuxChild child)
                {
                    ready[resolved++] = (child, token);
                }
            }
        }

        return resolved;
    }

    /// <summary>Returns the number of deadlines.</summary>
    public int CountDeadlines()
    {
        lock (_gate)
        {
            return _deadlines.Count;
        }
    }

    /// <summary>Removes and returns an entry whose deadline has passed.</summary>
    /// <returns>Null if there is no such entry.</returns>
    public TimedEntry? TakeExpired()
    {
        lock (_gate)
        {
            return _deadlines.TakeExpired(MonotonicClock.Now);
        }
    }
}
