using System.Runtime.InteropServices;

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

    [LibraryImport(Library, EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial int EpollCreate(int flags);

    [LibraryImport(Library, EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int EpollControl(int epoll, int operation, int descriptor, void* epollEvent);

    [LibraryImport(Library, EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int EpollWait(int epoll, void* events, int capacity, int timeoutMilliseconds);

    [LibraryImport(Library, EntryPoint = "eventfd", SetLastError = true)]
    public static partial int EventFd(uint initial, int flags);
}
