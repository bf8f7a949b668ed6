namespace ProcessRunner.Interop;

/// <summary>Provides the errno values of Linux that this library distinguishes (asm-generic/errno.h).</summary>
internal static class Errno
{
    public const int EPERM = 1;
    public const int ENOENT = 2;
    public const int ESRCH = 3;
    public const int EINTR = 4;
    public const int ENXIO = 6;
    public const int E2BIG = 7;
    public const int ENOEXEC = 8;
    public const int EBADF = 9;
    public const int ECHILD = 10;
    public const int EAGAIN = 11;
    public const int ENOMEM = 12;
    public const int EACCES = 13;
    public const int ENODEV = 19;
    public const int ENOTDIR = 20;
    public const int EISDIR = 21;
    public const int EINVAL = 22;
    public const int ENFILE = 23;
    public const int EMFILE = 24;
    public const int ETXTBSY = 26;
    public const int EFBIG = 27;
    public const int ENOSPC = 28;
    public const int EPIPE = 32;
    public const int ERANGE = 34;
    public const int ENOSYS = 38;
    public const int ELIBBAD = 80;
    public const int ETIMEDOUT = 110;
    public const int ESTALE = 116;
}
