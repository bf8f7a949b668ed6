using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Represents a child's descriptor together with its watcher. A field of its one owner, never copied.
/// </summary>
/// <remarks>
/// <para>The descriptor is added to the reactor's epoll once, when the child begins (<see cref="Register"/>). From then
/// on its entry is only changed, which needs no kernel memory and so cannot fail, and is removed before the descriptor
/// is closed.</para>
/// <para>Only a waiting thread removes the entry for a while (<see cref="TakeOver"/>): an entry left there would wake
/// the reactor at the end of each stream, because an end is always reported. Handing back is therefore the only
/// operation that may find no room again. The descriptor is then checked by a deadline, as is a descriptor that stays
/// ready although nothing can be read from it (<see cref="Defer"/>).</para>
/// </remarks>
[SupportedOSPlatform("linux")]
internal struct WatchedDescriptor
{
    // An end is reported nevertheless, but only once, and no watcher handles it.
    private const uint Nothing = LibC.EPOLLET;

    // The order of the fields keeps the struct at 16 bytes; each child has four of them.
    private readonly EventPart _source;
    private DescriptorWatcher _watcher;
    private bool _isRegistered;
    private OwnedDescriptor _descriptor;
    private int _fullReads;
    private int _size;

    public WatchedDescriptor(OwnedDescriptor descriptor, EventPart source)
    {
        _descriptor = descriptor;
        _source = source;
    }

    public readonly bool IsOpen => _descriptor.IsOpen;

    public readonly int Number => _descriptor.Number;

    /// <summary>Gets whether the descriptor is a pipe that holds unread bytes.</summary>
    public readonly bool HasUnread => IsOpen && LibC.CountUnread(Number) > 0;

    private readonly uint Interest => _source == EventPart.Input ? LibC.EPOLLOUT : LibC.EPOLLIN;

    /// <summary>Returns whether the descriptor is open and has the given watcher.</summary>
    public readonly bool IsWatchedBy(DescriptorWatcher watcher) => IsOpen && _watcher == watcher;

    /// <summary>Adds the descriptor to the reactor, if it is open and not registered yet.</summary>
    /// <param name="reactor">The child's reactor.</param>
    /// <param name="token">The child's token at the reactor.</param>
    /// <param name="isWatched">
    /// Whether the reactor watches the descriptor from now on, or only from the next <see cref="TryWatch"/> on.
    /// </param>
    /// <exception cref="Win32Exception">The kernel is out of memory, or the user is out of watches.</exception>
    public void Register(EpollReactor reactor, ulong token, bool isWatched)
    {
        if (IsOpen && !_isRegistered)
        {
            bool isAdded = reactor.TryAdd(Number, EventToken.With(token, _source), isWatched ? Interest : Nothing);
            SystemError.ThrowIfFailed(isAdded ? 0 : -1, "epoll_ctl");
            _isRegistered = true;
            _watcher = isWatched ? DescriptorWatcher.Reactor : DescriptorWatcher.None;
        }
    }

    /// <summary>Makes the reactor watch the descriptor, if it is open and has no watcher.</summary>
    /// <returns>
    /// False if the kernel has no memory or no watch for the descriptor now, so that a deadline must check it.
    /// </returns>
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

    /// <summary>Makes the reactor watch the descriptor, if a deadline has checked it so far.</summary>
    /// <inheritdoc cref="TryWatch"/>
    public bool TryWatchAgain(EpollReactor reactor, ulong token) =>
        _watcher != DescriptorWatcher.Deadline || TryWatch(reactor, token);

    /// <summary>Removes the watcher until <see cref="TryWatch"/>.</summary>
    public void Unwatch(EpollReactor reactor, ulong token)
    {
        if (_watcher == DescriptorWatcher.Reactor)
        {
            reactor.Change(Number, EventToken.With(token, _source), Nothing);
        }

        _watcher = DescriptorWatcher.None;
    }

    /// <summary>
    /// Has a deadline check the descriptor, because it stays ready although nothing can be read from it now.
    /// </summary>
    public void Defer(EpollReactor reactor, ulong token)
    {
        Unwatch(reactor, token);
        _watcher = DescriptorWatcher.Deadline;
    }

    /// <summary>Transfers the descriptor from the reactor to the waiting thread, if the reactor watches it.</summary>
    public void TakeOver(EpollReactor reactor)
    {
        if (_watcher == DescriptorWatcher.Reactor)
        {
            Unregister(reactor);
            _watcher = DescriptorWatcher.Waiter;
        }
    }

    /// <summary>Returns the descriptor from the waiting thread to the reactor, if that thread watches it.</summary>
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

    /// <summary>Fills in the poll entry for the waiting thread.</summary>
    /// <returns>1, or 0 if that thread does not watch the descriptor.</returns>
    public readonly int Describe(ref LibC.PollDescriptor polled)
    {
        bool isOurs = IsWatchedBy(DescriptorWatcher.Waiter);
        polled = new LibC.PollDescriptor { fd = isOurs ? Number : -1, events = LibC.POLLIN };
        return isOurs ? 1 : 0;
    }

    /// <summary>
    /// Records the result of one read of a pipe. A writer that has filled its pipe is likely to do so again, so it gets
    /// a larger pipe if the budget has room for it.
    /// </summary>
    public void NoteRead(int count)
    {
        if (count < PipeSizeBudget.DefaultSize || _size == PipeSizeBudget.Largest)
        {
            return;
        }

        _fullReads++;
        int size = PipeSizeBudget.SizeAfter(_fullReads);
        if (size > _size && PipeSizeBudget.TryGrow(Number, _size, size))
        {
            _size = size;
        }
    }

    /// <summary>Removes the descriptor from the reactor's epoll for good.</summary>
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
        PipeSizeBudget.Return(_size);
        _size = 0;
    }
}
