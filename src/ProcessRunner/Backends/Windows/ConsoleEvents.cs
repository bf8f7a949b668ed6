using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows;

/// <summary>
/// Sends the one event of a console that reaches a process group: CTRL_BREAK. Windows has no other request to end that
/// console programs handle.
/// </summary>
/// <remarks>
/// If this process does not share a console of the group, it attaches to that console for the moment of the event,
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
            return isOurs
                ? TrySend(group, members, OwnConsole.Processes())
                : TrySendToOthers(group, members);
        }
    }

    // A console that does not know the group would take it for a process that has ended, keep it in its list, and stop
    // there at the next Ctrl-C (https://github.com/microsoft/terminal/issues/335). Windows does not tell the group of a
    // process, so a member that has left the group without leaving the console is taken for one of it.
    private static bool TrySend(int group, ReadOnlySpan<int> members, ReadOnlySpan<uint> atConsole) =>
        atConsole.ContainsAny(MemoryMarshal.Cast<int, uint>(members))
        && Kernel32.GenerateConsoleCtrlEvent(Kernel32.CTRL_BREAK_EVENT, (uint)group);

    // Those that a child has left behind can be at several consoles.
    private static bool TrySendToOthers(int group, ReadOnlySpan<int> members)
    {
        HashSet<uint> reached = [];
        bool isSent = false;
        foreach (int member in members)
        {
            isSent |= !reached.Contains((uint)member) && TrySendToOther(group, member, members, reached);
        }

        return isSent;
    }

    // Notes all that are at the console of the member.
    private static bool TrySendToOther(int group, int member, ReadOnlySpan<int> members, HashSet<uint> reached)
    {
        nint input = Kernel32.GetStdHandle(Kernel32.STD_INPUT_HANDLE);
        nint output = Kernel32.GetStdHandle(Kernel32.STD_OUTPUT_HANDLE);
        nint error = Kernel32.GetStdHandle(Kernel32.STD_ERROR_HANDLE);
        if (!Kernel32.AttachConsole((uint)member))
        {
            return false;
        }

        // The attachment has removed the handlers of this process, and an event of the console would end it.
        try
        {
            Kernel32.SetConsoleCtrlHandler(&Ignore, isAdded: true);
            ReadOnlySpan<uint> atConsole = OwnConsole.Processes();
            foreach (uint process in atConsole)
            {
                reached.Add(process);
            }

            return TrySend(group, members, atConsole);
        }
        finally
        {
            Kernel32.FreeConsole();
            Kernel32.SetStdHandle(Kernel32.STD_INPUT_HANDLE, input);
            Kernel32.SetStdHandle(Kernel32.STD_OUTPUT_HANDLE, output);
            Kernel32.SetStdHandle(Kernel32.STD_ERROR_HANDLE, error);
        }
    }

    [UnmanagedCallersOnly]
    private static int Ignore(uint controlEvent) => 1;
}
