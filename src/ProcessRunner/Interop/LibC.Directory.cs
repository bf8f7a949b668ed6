using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

/// <summary>The names in a directory.</summary>
internal static unsafe partial class LibC
{
    public static nint OpenDirectory(string path) =>
        FaultPoint.Fails("opendir") ? 0 : opendir(path);

    [LibraryImport(Library, SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint opendir(string path);

    /// <summary>A struct dirent, whose layout is not needed for counting; null at the end.</summary>
    [LibraryImport(Library, EntryPoint = "readdir", SetLastError = true)]
    public static partial void* ReadDirectory(nint directory);

    [LibraryImport(Library, EntryPoint = "closedir", SetLastError = true)]
    public static partial int CloseDirectory(nint directory);
}
