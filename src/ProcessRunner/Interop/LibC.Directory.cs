using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

/// <summary>The functions that list the names in a directory.</summary>
internal static unsafe partial class LibC
{
    /// <summary>The offset of the name in a struct dirent of 64-bit Linux, in bytes.</summary>
    public const int DirectoryEntryName = 19;

    public static nint OpenDirectory(string path) =>
        FaultPoint.Fails("opendir") ? 0 : opendir(path);

    [LibraryImport(Library, SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint opendir(string path);

    /// <summary>
    /// Returns a struct dirent of 64-bit Linux, which begins with the inode number. Returns null at the end or after an
    /// error, which is then the last one.
    /// </summary>
    [LibraryImport(Library, EntryPoint = "readdir", SetLastError = true)]
    public static partial void* ReadDirectory(nint directory);

    [LibraryImport(Library, EntryPoint = "closedir", SetLastError = true)]
    public static partial int CloseDirectory(nint directory);
}
