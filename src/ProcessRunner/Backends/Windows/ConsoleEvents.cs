using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Windows.Start;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows;

/// <summary>
/// Sends the one event of a console that reaches a process group: CTRL_BREAK. Windows has no other request to end that
/// console programs handle.
/// </summary>
/// <remarks>
/// If this process does not share the console of the group, it attaches to that console for the moment of the event,
/// with <see cref="OwnConsole.Gate"/> held. The standard handles of this process stay the same.
/// </remarks>
[SupportedOSPlatform("windows")]
internal static unsafe class ConsoleEvents
{
    /// <summary>Sends CTRL_BREAK to a group.</summary>
    /// <param name="group">The id of the group, which is that of the child that leads it.</param>
    /// <param name="members">
    /// Processes that may be in the group: the child, or those that it has left behind. The caller has them open: the
    /// console of a stranger with such an id would be the wrong one.
    /// </param>
    /// <param name="isOurs">Whether the group shares the console of this process.</param>
    /// <returns>False if no member is at a console now.</returns>
    public static bool TrySendBreak(int group, ReadOnlySpan<int> members, bool isOurs)
    {
        using (Uninterruptible.Lock(OwnConsole.Gate))
        {
            return isOurs ? TrySend(group, members) : TrySendToOther(group, members);
        }
    }

    // A console that does not know the group would take it for a process that has ended, keep it in its list, and stop
    // there at the next Ctrl-C (https://github.com/microsoft/terminal/issues/335).
    private static bool TrySend(int group, ReadOnlySpan<int> members) =>
        OwnConsole.HasOneOf(members) && Kernel32.GenerateConsoleCtrlEvent(Kernel32.CTRL_BREAK_EVENT, (uint)group);

    private static bool TrySendToOther(int group, ReadOnlySpan<int> members)
    {
        nint input = Kernel32.GetStdHandle(Kernel32.STD_INPUT_HANDLE);
        nint output = Kernel32.GetStdHandle(Kernel32.STD_OUTPUT_HANDLE);
        nint error = Kernel32.GetStdHandle(Kernel32.STD_ERROR_HANDLE);
        if (!TryAttach(members))
        {
            return false;
        }

        // The attachment has removed the handlers of this process, and an event of the console would end it.
        try
        {
            Kernel32.SetConsoleCtrlHandler(&Ignore, isAdded: true);
            return TrySend(group, members);
        }
        finally
        {
            Kernel32.FreeConsole();
            Kernel32.SetStdHandle(Kernel32.STD_INPUT_HANDLE, input);
            Kernel32.SetStdHandle(Kernel32.STD_OUTPUT_HANDLE, output);
            Kernel32.SetStdHandle(Kernel32.STD_ERROR_HANDLE, error);
        }
    }

    private static bool TryAttach(ReadOnlySpan<int> members)
    {
        foreach (int member in members)
        {
            if (Kernel32.AttachConsole((uint)member))
            {
                return true;
            }
        }

        return false;
    }

    [UnmanagedCallersOnly]
    private static int Ignore(uint controlEvent) => 1;
}
