using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class Kernel32
{
    public const uint GENERIC_READ = 0x80000000;
    public const uint GENERIC_WRITE = 0x40000000;
    public const uint FILE_GENERIC_WRITE = 0x120116;
    public const uint FILE_WRITE_DATA = 2;
    public const uint FILE_SHARE_READ = 1;
    public const uint FILE_SHARE_WRITE = 2;
    public const uint FILE_SHARE_DELETE = 4;
    public const uint CREATE_ALWAYS = 2;
    public const uint OPEN_EXISTING = 3;
    public const uint OPEN_ALWAYS = 4;
    public const uint FILE_ATTRIBUTE_NORMAL = 0x80;

    /// <summary>Opens a file for synchronous access, not inheritable.</summary>
    /// <returns>The handle, or <see cref="INVALID_HANDLE_VALUE"/>.</returns>
    public static nint CreateFile(string path, uint access, uint share, uint disposition) =>
        FaultPoint.Fails("CreateFileW")
            ? INVALID_HANDLE_VALUE
            : CreateFileW(path, access, share, null, disposition, FILE_ATTRIBUTE_NORMAL, 0);

    [LibraryImport(Library, SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    private static partial nint CreateFileW(
        string path, uint access, uint share, void* security, uint disposition, uint flags, nint template);
}
