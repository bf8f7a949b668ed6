using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

/// <summary>The names in a directory.</summary>
internal static unsafe partial class LibC
{
    /// <summary>The number of bytes before the name in a struct dirent of a 64-bit Linux.</summary>
    public const int DirectoryEntryName = 19;

    public static nint OpenDirectory(string path) =>
        FaultPoint.Fails("opendir") ? 0 : opendir(path);

    [LibraryImport(Library, SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint opendir(string path);

    /// <summary>
    /// A struct dirent of a 64-bit Linux, of which only the name is looked at; null at the end, or after an error, which is
    /// then the last one.
    /// </summary>
    [LibraryImport(Library, EntryPoint = "readdir", SetLastError = true)]
    public static partial void* ReadDirectory(nint directory);

    [LibraryImport(Library, EntryPoint = "closedir", SetLastError = true)]
    public static partial int CloseDirectory(nint directory);
}
