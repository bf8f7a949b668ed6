using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A child's descriptor together with who watches it, so that it is taken out of the reactor's epoll exactly once before
/// it is closed. A field of its one owner, never copied.
/// </summary>
[SupportedOSPlatform("linux")]
internal struct WatchedDescriptor(OwnedDescriptor descriptor)
{
    private OwnedDescriptor _descriptor = descriptor;
    private DescriptorWatcher _watcher;
    private int _fullReads;
    private int _size;

    public readonly bool IsOpen => _descriptor.IsOpen;

    public readonly int Number => _descriptor.Number;

    /// <summary>Whether it is a pipe with something in it.</summary>
    public readonly bool HasUnread => IsOpen && LibC.CountUnread(Number) > 0;

    /// <summary>Whether it is open and that one watches it.</summary>
    public readonly bool IsWatchedBy(DescriptorWatcher watcher) => IsOpen && _watcher == watcher;

    /// <summary>Has the reactor watch it, if it is open and nobody watches it already.</summary>
    public void Add(EpollReactor reactor, ulong token, uint interest = LibC.EPOLLIN)
    {
        if (IsOpen && _watcher == DescriptorWatcher.None)
        {
            reactor.Add(Number, token, interest);
            _watcher = DescriptorWatcher.Reactor;
        }
    }

    /// <summary>Hands it from the reactor to the waiting thread, if the reactor watches it.</summary>
    public void TakeOver(EpollReactor reactor)
    {
        if (_watcher == DescriptorWatcher.Reactor)
        {
            Remove(reactor);
            _watcher = DescriptorWatcher.Waiter;
        }
    }

    /// <summary>Hands it from the waiting thread back to the reactor, if that thread watches it.</summary>
    /// <exception cref="Win32Exception">Out of memory or of watches; nobody watches it now.</exception>
    public void HandBack(EpollReactor reactor, ulong token)
    {
        if (_watcher == DescriptorWatcher.Waiter)
        {
            _watcher = DescriptorWatcher.None;
            Add(reactor, token);
        }
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

    public void Remove(EpollReactor reactor)
    {
        if (_watcher == DescriptorWatcher.Reactor)
        {
            reactor.Remove(Number);
        }

        _watcher = DescriptorWatcher.None;
    }

    public void Close(EpollReactor reactor)
    {
        Remove(reactor);
        _descriptor.Close();
        LargePipes.Return(_size);
        _size = 0;
    }
}
