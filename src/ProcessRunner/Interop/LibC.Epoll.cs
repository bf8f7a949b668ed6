using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class LibC
{
    public const int EPOLL_CLOEXEC = O_CLOEXEC;
    public const int EPOLL_CTL_ADD = 1;
    public const int EPOLL_CTL_DEL = 2;
    public const int EPOLL_CTL_MOD = 3;
    public const uint EPOLLIN = 1;
    public const uint EPOLLOUT = 4;
    public const uint EPOLLET = 1u << 31;
    public const int EFD_CLOEXEC = O_CLOEXEC;
    public const int EFD_NONBLOCK = O_NONBLOCK;

    public static int EpollCreate(int flags) =>
        FaultPoint.Fails("epoll_create1") ? -1 : epoll_create1(flags);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int epoll_create1(int flags);

    public static int EpollControl(int epoll, int operation, int descriptor, void* epollEvent) =>
        operation == EPOLL_CTL_ADD && FaultPoint.Fails("epoll_ctl EPOLL_CTL_ADD")
            ? -1
            : epoll_ctl(epoll, operation, descriptor, epollEvent);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int epoll_ctl(int epoll, int operation, int descriptor, void* epollEvent);

    public static int EpollWait(int epoll, void* events, int capacity, int timeoutMilliseconds) =>
        FaultPoint.Fails("epoll_wait") ? -1 : epoll_wait(epoll, events, capacity, timeoutMilliseconds);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int epoll_wait(int epoll, void* events, int capacity, int timeoutMilliseconds);

    public static int EventFd(uint initial, int flags) =>
        FaultPoint.Fails("eventfd") ? -1 : eventfd(initial, flags);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int eventfd(uint initial, int flags);

    /// <summary>Adds one to the counter of an eventfd, which makes it readable.</summary>
    public static void SetEvent(int eventDescriptor)
    {
        // The only error is EAGAIN: the counter is full, and the eventfd has long been readable.
        ulong one = 1;
        _ = write(eventDescriptor, &one, sizeof(ulong));
    }

    /// <summary>Resets the counter of an eventfd to zero.</summary>
    public static void ResetEvent(int eventDescriptor)
    {
        ulong counter;
        _ = read(eventDescriptor, &counter, sizeof(ulong));
    }
}
