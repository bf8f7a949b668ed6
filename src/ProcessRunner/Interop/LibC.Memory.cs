using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

internal static unsafe partial class LibC
{
    public const int PROT_READ = 1;
    public const int PROT_WRITE = 2;
    public const int PROT_EXEC = 4;
    public const int MAP_PRIVATE = 0x02;
    public const int MAP_ANONYMOUS = 0x20;

    /// <summary>mmap(2). It returns -1 where it fails.</summary>
    [LibraryImport(Library, EntryPoint = "mmap", SetLastError = true)]
    public static partial void* Map(void* address, nuint length, int protection, int flags, int descriptor, long offset);

    [LibraryImport(Library, EntryPoint = "mprotect", SetLastError = true)]
    public static partial int Protect(void* address, nuint length, int protection);

    [LibraryImport(Library, EntryPoint = "munmap", SetLastError = true)]
    public static partial int Unmap(void* address, nuint length);
}
