using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>Represents a reactor over an epoll instance, which is thread-safe itself.</summary>
/// <remarks>The reactor closes the descriptors of its children.</remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class EpollReactor : Reactor
{
    private const ulong WakerToken = ulong.MaxValue;

    private OwnedDescriptor _epoll;
    private OwnedDescriptor _waker;

    /// <exception cref="Win32Exception">The process or the system is out of descriptors.</exception>
    /// <exception cref="OutOfMemoryException">No thread is available. Nothing is left open.</exception>
    public EpollReactor(int index)
        : base(index)
    {
        try
        {
            _epoll = OwnedDescriptor.From(LibC.EpollCreate(LibC.EPOLL_CLOEXEC), "epoll_create1");
            _waker = OwnedDescriptor.From(LibC.EventFd(0, LibC.EFD_CLOEXEC | LibC.EFD_NONBLOCK), "eventfd");
            SystemError.ThrowIfFailed(TryAdd(_waker.Number, WakerToken, LibC.EPOLLIN) ? 0 : -1, "epoll_ctl");
            Begin();
        }
        catch
        {
            Close();
            throw;
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

    /// <summary>
    /// Sleeps until events arrive, at most for the given number of milliseconds. Only the reactor's threads call this
    /// method and the next one.
    /// </summary>
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
        lock (Gate)
        {
            NoteAwake();
            for (int i = 0; i < count; i++)
            {
                ulong token = events.Data(i);
                if (token == WakerToken)
                {
                    LibC.ResetEvent(_waker.Number);
                    continue;
                }

                if (Find(token) is LinuxChild child)
                {
                    ready[resolved++] = (child, token);
                }
            }
        }

        return resolved;
    }

    protected override ReactorThread CreateThread(int index) => new EpollThread(this, index);

    protected override void Wake() => LibC.SetEvent(_waker.Number);

    protected override void Close()
    {
        _waker.Close();
        _epoll.Close();
    }

    private int Control(int operation, int descriptor, ulong token, uint interest)
    {
        byte* memory = stackalloc byte[EpollEvents.Size];
        EpollEvents events = new(memory);
        events.Set(0, interest, token);
        return LibC.EpollControl(_epoll.Number, operation, descriptor, events.Address);
    }
}
