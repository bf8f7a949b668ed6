using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Portable;

/// <summary>Provides the question whether this process has a console, on Windows.</summary>
internal static unsafe partial class WindowsConsole
{
    /// <summary>Returns whether this process has a console, visible or not.</summary>
    [SupportedOSPlatform("windows")]
    public static bool Exists()
    {
        uint processId;
        return GetConsoleProcessList(&processId, 1) != 0;
    }

    [LibraryImport("kernel32", EntryPoint = "GetConsoleProcessList")]
    private static partial uint GetConsoleProcessList(uint* processIds, uint count);
}
