using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Windows.Start;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows;

/// <summary>Closes the windows of programs, which is how Windows asks such a program to end.</summary>
[SupportedOSPlatform("windows")]
internal static unsafe class TopLevelWindows
{
    // More than a desktop has. The thread that looks at them may have other children to serve.
    private const int MostWindows = 10_000;

    /// <summary>
    /// Posts WM_CLOSE to the top-level windows of the members of a job. No thread of a window has to respond.
    /// </summary>
    /// <returns>False if there was none that this process may close, or the system has no windows at all.</returns>
    public static bool TryClose(JobObject job)
    {
        Search search = new() { Job = job.Handle, Left = MostWindows };
        try
        {
            User32.EnumWindows(&OnWindow, (nint)(&search));
        }
        catch (Exception exception) when (exception is DllNotFoundException or EntryPointNotFoundException)
        {
            // Nano Server.
            return false;
        }

        return search.HasClosed;
    }

    [UnmanagedCallersOnly]
    private static int OnWindow(nint window, nint state)
    {
        Search* search = (Search*)state;
        uint processId = OwnerOf(window);

        // As long as the process is open, its id belongs to no other. Wine 8 wants the whole right for the question.
        nint process = Kernel32.OpenProcess(Kernel32.PROCESS_QUERY_INFORMATION, false, processId);
        if (process != 0)
        {
            int isMember = 0;
            search->HasClosed |= Kernel32.IsProcessInJob(process, search->Job, &isMember)
                && isMember != 0
                && OwnerOf(window) == processId
                && User32.PostMessageW(window, User32.WM_CLOSE, 0, 0);
            Kernel32.CloseHandle(process);
        }

        search->Left--;
        return search->Left;
    }

    private static uint OwnerOf(nint window)
    {
        uint processId = 0;
        User32.GetWindowThreadProcessId(window, &processId);
        return processId;
    }

    private struct Search
    {
        public nint Job;
        public int Left;
        public bool HasClosed;
    }
}
