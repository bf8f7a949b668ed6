using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

/// <summary>Provides the C library's functions, as close to C as possible; one file per group of functions.</summary>
/// <remarks>
/// A function that can fail for a reason outside this library is imported under its own name, private to this class,
/// and called by way of a <see cref="FaultPoint"/>.
/// </remarks>
internal static unsafe partial class LibC
{
    private const string Library = "libc";

    public const int O_RDONLY = 0;
    public const int O_WRONLY = 1;
    public const int O_RDWR = 2;
    public const int O_CREAT = 0x40;
    public const int O_EXCL = 0x80;
    public const int O_NOCTTY = 0x100;
    public const int O_TRUNC = 0x200;
    public const int O_APPEND = 0x400;
    public const int O_NONBLOCK = 0x800;
    public const int O_CLOEXEC = 0x80000;
    public const int AT_FDCWD = -100;
    public const int F_GETFD = 1;
    public const int F_SETFL = 4;
    public const int F_DUPFD_CLOEXEC = 1030;
    public const int F_SETPIPE_SZ = 1031;
    public const int F_GETPIPE_SZ = 1032;
    public const int F_OK = 0;
    public const int X_OK = 1;
    public const int W_OK = 2;
    public const int R_OK = 4;
    public const uint MFD_CLOEXEC = 1;
    public const uint STATX_TYPE = 1;
    public const int S_IFMT = 0xF000;
    public const int S_IFREG = 0x8000;

    private static PerArchitecture SYS_statx { get; } = new(x64: 332, arm64: 291);

    private static PerArchitecture SYS_memfd_create { get; } = new(x64: 319, arm64: 279);

    /// <summary>Gets one of the few flags whose value differs between x64 and arm64.</summary>
    public static PerArchitecture O_DIRECTORY { get; } = new(x64: 0x10000, arm64: 0x4000);

    public static PerArchitecture O_TMPFILE { get; } = new(0x400000 | O_DIRECTORY.X64, 0x400000 | O_DIRECTORY.Arm64);

    public static int Pipe2(int* descriptors, int flags) =>
        FaultPoint.Fails("pipe2") ? -1 : pipe2(descriptors, flags);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int pipe2(int* descriptors, int flags);

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    public static int Duplicate(int descriptor, int newDescriptor, int flags) =>
        FaultPoint.Fails("dup3") ? -1 : dup3(descriptor, newDescriptor, flags);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int dup3(int descriptor, int newDescriptor, int flags);

    public static int Fcntl(int descriptor, int command, nint argument) => command switch
    {
        F_DUPFD_CLOEXEC when FaultPoint.Fails("fcntl F_DUPFD_CLOEXEC") => -1,
        F_SETPIPE_SZ when FaultPoint.Fails("fcntl F_SETPIPE_SZ") => -1,
        _ => fcntl(descriptor, command, argument),
    };

    [LibraryImport(Library, SetLastError = true)]
    private static partial int fcntl(int descriptor, int command, nint argument);

    public static int OpenAt(int directory, byte* path, int flags, uint mode) =>
        FaultPoint.Fails("openat") ? -1 : openat(directory, path, flags, mode);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int openat(int directory, byte* path, int flags, uint mode);

    public static int Open(string path, int flags, uint mode) =>
        FaultPoint.Fails("open") ? -1 : open(path, flags, mode);

    [LibraryImport(Library, SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int open(string path, int flags, uint mode);

    /// <summary>Removes the name of a file.</summary>
    [LibraryImport(Library, EntryPoint = "unlink", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Unlink(string path);

    public static int Access(string path, int mode) =>
        FaultPoint.Fails("access") ? -1 : access(path, mode);

    [LibraryImport(Library, SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int access(string path, int mode);

    /// <summary>
    /// Calls statx(2) directly, because glibc has a wrapper only since 2.28. The layout of struct stat depends on the
    /// architecture.
    /// </summary>
    public static int StatX(string path, uint mask, StatusX* status) =>
        FaultPoint.Fails("statx") ? -1 : (int)statx(SYS_statx, AT_FDCWD, path, 0, mask, status);

    [LibraryImport(Library, EntryPoint = "syscall", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint statx(
        nint number, nint directory, string path, nint flags, nuint mask, StatusX* status);

    public static nint ReadV(int descriptor, IoVector* vectors, int count) =>
        FaultPoint.Fails("readv") ? -1 : readv(descriptor, vectors, count);

    [LibraryImport(Library, SetLastError = true)]
    private static partial nint readv(int descriptor, IoVector* vectors, int count);

    public static nint Read(int descriptor, void* buffer, nuint count) =>
        FaultPoint.Fails("read") ? -1 : read(descriptor, buffer, count);

    [LibraryImport(Library, SetLastError = true)]
    private static partial nint read(int descriptor, void* buffer, nuint count);

    public static nint Write(int descriptor, void* buffer, nuint count) =>
        FaultPoint.Fails("write") ? -1 : write(descriptor, buffer, count);

    [LibraryImport(Library, SetLastError = true)]
    private static partial nint write(int descriptor, void* buffer, nuint count);

    public static nint PWrite(SafeFileHandle file, void* buffer, nuint count, long offset) =>
        FaultPoint.Fails("pwrite") ? -1 : pwrite(file, buffer, count, offset);

    [LibraryImport(Library, SetLastError = true)]
    private static partial nint pwrite(SafeFileHandle file, void* buffer, nuint count, long offset);

    public static nint PWrite(int descriptor, void* buffer, nuint count, long offset) =>
        FaultPoint.Fails("pwrite to memory") ? -1 : pwrite(descriptor, buffer, count, offset);

    [LibraryImport(Library, SetLastError = true)]
    private static partial nint pwrite(int descriptor, void* buffer, nuint count, long offset);

    [LibraryImport(Library, EntryPoint = "ftruncate", SetLastError = true)]
    public static partial int Truncate(int descriptor, long length);

    /// <summary>Calls memfd_create(2) directly, because glibc has a wrapper only since 2.27.</summary>
    public static int CreateMemoryFile(string name, uint flags) =>
        FaultPoint.Fails("memfd_create") ? -1 : (int)memfd_create(SYS_memfd_create, name, flags);

    [LibraryImport(Library, EntryPoint = "syscall", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint memfd_create(nint number, string name, nuint flags);

    /// <summary>Represents struct statx, of which only the mode is used.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    public struct StatusX
    {
        [FieldOffset(28)]
        public ushort stx_mode;
    }

    /// <summary>Represents struct iovec.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct IoVector
    {
        public void* Base;
        public nuint Length;
    }
}
