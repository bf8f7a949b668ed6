using System.Runtime.InteropServices;

namespace ProcessRunner.Tests.Backends.Windows;

/// <summary>
/// Counts the handles of this process, one by one: the count of the system is the size of a table in Wine. The system
/// gives the lowest numbers first, so that a leak is among those that are looked at.
/// </summary>
internal static partial class OpenHandles
{
    private const nint Last = 0x2000;
    private const nint Step = 4;

    public static int Count()
    {
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
