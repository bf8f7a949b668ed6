using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows;

/// <summary>
/// Sends the one event of a console that reaches a process group: CTRL_BREAK. Windows has no other request to end that
/// console programs handle.
/// </summary>
/// <remarks>
/// A process belongs to one console at a time. If this process has none, it attaches to that of the child for the
/// moment of the event: the console is a state of the whole process, so one lock serves all engines. It is the
/// innermost lock. The standard handles of this process stay the same.
/// </remarks>
[SupportedOSPlatform("windows")]
internal static class ConsoleEvents
{
    private static readonly object s_gate = new();

    /// <summary>Sends CTRL_BREAK to the group that a child leads.</summary>
    /// <param name="processId">The id of the child and of its group.</param>
    /// <param name="hasOwnConsole">Whether the child has another console than this process.</param>
    /// <returns>False if the group has no console that this process can reach.</returns>
    public static bool TrySendBreak(int processId, bool hasOwnConsole)
    {
        if (!hasOwnConsole)
        {
            return Kernel32.GenerateConsoleCtrlEvent(Kernel32.CTRL_BREAK_EVENT, (uint)processId);
        }

        using (Uninterruptible.Lock(s_gate))
        {
            nint input = Kernel32.GetStdHandle(Kernel32.STD_INPUT_HANDLE);
            nint output = Kernel32.GetStdHandle(Kernel32.STD_OUTPUT_HANDLE);
            nint error = Kernel32.GetStdHandle(Kernel32.STD_ERROR_HANDLE);
            if (!Kernel32.AttachConsole((uint)processId))
            {
                return false;
            }

            bool isSent = Kernel32.GenerateConsoleCtrlEvent(Kernel32.CTRL_BREAK_EVENT, (uint)processId);
            Kernel32.FreeConsole();
            Kernel32.SetStdHandle(Kernel32.STD_INPUT_HANDLE, input);
            Kernel32.SetStdHandle(Kernel32.STD_OUTPUT_HANDLE, output);
            Kernel32.SetStdHandle(Kernel32.STD_ERROR_HANDLE, error);
            return isSent;
        }
    }
}
