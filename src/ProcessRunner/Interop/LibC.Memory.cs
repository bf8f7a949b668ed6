using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class LibC
{
    public const int PROT_READ = 1;
    public const int PROT_WRITE = 2;
    public const int PROT_EXEC = 4;
    public const int MAP_PRIVATE = 0x02;
    public const int MAP_ANONYMOUS = 0x20;

    public const int PR_SET_VMA = 0x53564d41;
    public const nint PR_SET_VMA_ANON_NAME = 0;

    /// <summary>Calls mmap(2), which returns -1 on failure.</summary>
    [LibraryImport(Library, EntryPoint = "mmap", SetLastError = true)]
    public static partial void* Map(
        void* address, nuint length, int protection, int flags, int descriptor, long offset);

    public static int Protect(void* address, nuint length, int protection) =>
        FaultPoint.Fails("mprotect") ? -1 : mprotect(address, length, protection);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int mprotect(void* address, nuint length, int protection);

    /// <summary>Names pages for proc_pid_maps(5), which not every kernel supports.</summary>
    public static int SetName(void* address, nuint length, string name) =>
        prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, address, length, name);

    [LibraryImport(Library, SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int prctl(int option, nint what, void* address, nuint length, string name);

    [LibraryImport(Library, EntryPoint = "munmap", SetLastError = true)]
    public static partial int Unmap(void* address, nuint length);
}
