using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

/// <summary>The names in a directory.</summary>
internal static unsafe partial class LibC
{
    [LibraryImport(Library, EntryPoint = "opendir", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint OpenDirectory(string path);

    /// <summary>A struct dirent, whose layout is not needed for counting; null at the end.</summary>
    [LibraryImport(Library, EntryPoint = "readdir", SetLastError = true)]
    public static partial void* ReadDirectory(nint directory);

    [LibraryImport(Library, EntryPoint = "closedir", SetLastError = true)]
    public static partial int CloseDirectory(nint directory);
}
