using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

/// <summary>The C library's calls, as close to C as possible; one file per group of functions.</summary>
internal static unsafe partial class LibC
{
    private const string Library = "libc";

    public const int O_RDONLY = 0;
    public const int O_WRONLY = 1;
    public const int O_RDWR = 2;
    public const int O_CREAT = 0x40;
    public const int O_NOCTTY = 0x100;
    public const int O_TRUNC = 0x200;
    public const int O_APPEND = 0x400;
    public const int O_NONBLOCK = 0x800;
    public const int O_CLOEXEC = 0x80000;
    public const int F_GETFD = 1;
    public const int F_SETFL = 4;
    public const int F_DUPFD_CLOEXEC = 1030;
    public const int F_SETPIPE_SZ = 1031;
    public const int F_GETPIPE_SZ = 1032;
    public const int F_OK = 0;
    public const int X_OK = 1;
    public const int W_OK = 2;
    public const int R_OK = 4;

    [LibraryImport(Library, EntryPoint = "pipe2", SetLastError = true)]
    public static partial int Pipe2(int* descriptors, int flags);

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport(Library, EntryPoint = "dup3", SetLastError = true)]
    public static partial int Duplicate(int descriptor, int newDescriptor, int flags);

    [LibraryImport(Library, EntryPoint = "fcntl", SetLastError = true)]
    public static partial int Fcntl(int descriptor, int command, nint argument);

    [LibraryImport(Library, EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags, uint mode);

    [LibraryImport(Library, EntryPoint = "access", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Access(string path, int mode);

    [LibraryImport(Library, EntryPoint = "readv", SetLastError = true)]
    public static partial nint ReadV(int descriptor, IoVector* vectors, int count);

    [LibraryImport(Library, EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int descriptor, void* buffer, nuint count);

    [LibraryImport(Library, EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int descriptor, void* buffer, nuint count);

    /// <summary>struct iovec.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct IoVector
    {
        public void* Base;
        public nuint Length;
    }
}
