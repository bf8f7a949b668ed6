using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A child's descriptor together with who watches it. A field of its one owner, never copied.
/// </summary>
/// <remarks>
/// The reactor's epoll gets it once, when the child begins (<see cref="Register"/>). From then on its entry there is only
/// changed, which takes no memory of the kernel and so cannot fail, and is taken out before the descriptor is closed. Only a
/// waiting thread takes it out for a while (<see cref="TakeOver"/>): an entry that is left there would wake the reactor at the
/// end of each stream, since an end is always reported. So it alone can find no room again when it is handed back, and is
/// then looked at by a deadline, as is what is ready all the time for nothing (<see cref="Defer"/>).
/// </remarks>
[SupportedOSPlatform("linux")]
internal struct WatchedDescriptor
{
    // An end is reported nevertheless, but once and not again and again; nobody is told of it then.
    private const uint Nothing = LibC.EPOLLET;

    // In this order, since each child has four: it takes 16 bytes.
    private readonly EventSource _source;
    private DescriptorWatcher _watcher;
    private bool _isRegistered;
    private OwnedDescriptor _descriptor;
    private int _fullReads;
    private int _size;

    public WatchedDescriptor(OwnedDescriptor descriptor, EventSource source)
    {
        _descriptor = descriptor;
        _source = source;
    }

    public readonly bool IsOpen => _descriptor.IsOpen;

    public readonly int Number => _descriptor.Number;

    /// <summary>Whether it is a pipe with something in it.</summary>
    public readonly bool HasUnread => IsOpen && LibC.CountUnread(Number) > 0;

    private readonly uint Interest => _source == EventSource.Input ? LibC.EPOLLOUT : LibC.EPOLLIN;

    /// <summary>Whether it is open and that one watches it.</summary>
    public readonly bool IsWatchedBy(DescriptorWatcher watcher) => IsOpen && _watcher == watcher;

    /// <summary>Makes it known to the reactor, if it is open and not known to it already.</summary>
    /// <param name="reactor">The child's reactor.</param>
    /// <param name="token">The child's place there.</param>
    /// <param name="isWatched">Whether the reactor watches it from now on, or only from the next <see cref="TryWatch"/> on.</param>
    /// <exception cref="Win32Exception">Out of memory or of watches.</exception>
    public void Register(EpollReactor reactor, ulong token, bool isWatched)
    {
        if (IsOpen && !_isRegistered)
        {
            bool isAdded = reactor.TryAdd(Number, EventToken.With(token, _source), isWatched ? Interest : Nothing);
            OwnedDescriptor.ThrowIfFailed(isAdded ? 0 : -1, "epoll_ctl");
            _isRegistered = true;
            _watcher = isWatched ? DescriptorWatcher.Reactor : DescriptorWatcher.None;
        }
    }

    /// <summary>Has the reactor watch it, if it is open and nobody watches it already.</summary>
    /// <returns>False if the kernel has no memory or no watch for it now: it is to be looked at by a deadline.</returns>
    public bool TryWatch(EpollReactor reactor, ulong token)
    {
        if (!IsOpen || _watcher is DescriptorWatcher.Reactor or DescriptorWatcher.Waiter)
        {
            return true;
        }

        if (_isRegistered)
        {
            reactor.Change(Number, EventToken.With(token, _source), Interest);
        }
        else
        {
            _isRegistered = reactor.TryAdd(Number, EventToken.With(token, _source), Interest);
        }

        _watcher = _isRegistered ? DescriptorWatcher.Reactor : DescriptorWatcher.Deadline;
        return _isRegistered;
    }

    /// <summary>Has the reactor watch it, if it has been looked at by a deadline till now.</summary>
    /// <inheritdoc cref="TryWatch"/>
    public bool TryWatchAgain(EpollReactor reactor, ulong token) =>
        _watcher != DescriptorWatcher.Deadline || TryWatch(reactor, token);

    /// <summary>Has nobody watch it, until <see cref="TryWatch"/>.</summary>
    public void Unwatch(EpollReactor reactor, ulong token)
    {
        if (_watcher == DescriptorWatcher.Reactor)
        {
            reactor.Change(Number, EventToken.With(token, _source), Nothing);
        }

        _watcher = DescriptorWatcher.None;
    }

    /// <summary>Has it looked at by a deadline: it stays ready all the time, but there is nothing to be had from it now.</summary>
    public void Defer(EpollReactor reactor, ulong token)
    {
        Unwatch(reactor, token);
        _watcher = DescriptorWatcher.Deadline;
    }

    /// <summary>Hands it from the reactor to the waiting thread, if the reactor watches it.</summary>
    public void TakeOver(EpollReactor reactor)
    {
        if (_watcher == DescriptorWatcher.Reactor)
        {
            Unregister(reactor);
            _watcher = DescriptorWatcher.Waiter;
        }
    }

    /// <summary>Hands it from the waiting thread back to the reactor, if that thread watches it.</summary>
    /// <inheritdoc cref="TryWatch"/>
    public bool TryHandBack(EpollReactor reactor, ulong token)
    {
        if (_watcher == DescriptorWatcher.Waiter)
        {
            _watcher = DescriptorWatcher.None;
            return TryWatch(reactor, token);
        }

        return true;
    }

    /// <summary>Describes it for a poll by the waiting thread.</summary>
    /// <returns>1, or 0 if that thread does not watch it.</returns>
    public readonly int Describe(ref LibC.PollDescriptor polled)
    {
        bool isOurs = IsWatchedBy(DescriptorWatcher.Waiter);
        polled = new LibC.PollDescriptor { fd = isOurs ? Number : -1, events = LibC.POLLIN };
        return isOurs ? 1 : 0;
    }

    /// <summary>
    /// Takes note of what one read of a pipe has yielded: a writer that has filled its pipe is likely to do so again, and
    /// gets a larger one, if there is room for it.
    /// </summary>
    public void NoteRead(int count)
    {
        if (count < LargePipes.DefaultSize || _size == LargePipes.Largest)
        {
            return;
        }

        _fullReads++;
        int size = LargePipes.SizeAfter(_fullReads);
        if (size > _size && LargePipes.TryGrow(Number, _size, size))
        {
            _size = size;
        }
    }

    /// <summary>Takes it out of the reactor's epoll for good.</summary>
    public void Unregister(EpollReactor reactor)
    {
        if (_isRegistered)
        {
            reactor.Remove(Number);
        }

        _isRegistered = false;
        _watcher = DescriptorWatcher.None;
    }

    public void Close(EpollReactor reactor)
    {
        Unregister(reactor);
        _descriptor.Close();
        LargePipes.Return(_size);
        _size = 0;
    }
}
