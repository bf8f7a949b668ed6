using System;
using System.IO;
using System.Runtime.InteropServices;

namespace ProcessRunner.BackendCheck;

/// <summary>
/// Counts the handles or descriptors of this process, one by one: a count of the system may be rounded.
/// </summary>
internal static partial class OpenHandles
{
    private const nint Last = 0x10000;
    private const nint Step = 4;

    /// <summary>Returns the number of open handles; zero where it cannot be known.</summary>
    public static int Count()
    {
        if (!OperatingSystem.IsWindows())
        {
            return Directory.Exists("/dev/fd") ? Directory.GetFileSystemEntries("/dev/fd").Length : 0;
        }

        int count = 0;
        for (nint handle = Step; handle < Last; handle += Step)
        {
            count += GetHandleInformation(handle, out _) ? 1 : 0;
        }

        return count;
    }

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetHandleInformation(nint handle, out uint flags);
}
