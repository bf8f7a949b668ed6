using System;
using System.Collections.Generic;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Starts;

namespace ProcessRunner.Backends.Windows;

/// <summary>The requests to end, which are events of the child's console.</summary>
internal sealed unsafe partial class WindowsChild
{
    private static readonly TimeSpan s_breakPatience = TimeSpan.FromSeconds(1);

    private bool _leadsGroup;
    private bool _hasOwnConsole;
    private long _loadedBy;

    // Until when a request is repeated; zero if none is due.
    private long _breakUntil;

    private static long BreakPatience => MonotonicClock.In(s_breakPatience);

    // A program connects to its console while it is loaded, and a console of its own begins with that. A child that has
    // none by then never has one. So a request that cannot be sent yet is repeated until the given instant, which
    // counts from the request for a stop; the answer to a signal must be true, and counts from the start.
    private bool AskByBreak(long until)
    {
        if (!_process.IsOpen || !_leadsGroup)
        {
            return false;
        }

        if (TrySendBreak())
        {
            return true;
        }

        bool isOutOfReach = _hasOwnConsole && OwnConsole.Exists();
        if (isOutOfReach || !IsRunning || MonotonicClock.Now >= until)
        {
            return false;
        }

        _breakUntil = Math.Max(_breakUntil, until);
        LookLaterUnless(false);
        return true;
    }

    private void AskAgain()
    {
        if (TrySendBreak() || !IsRunning || MonotonicClock.Now >= _breakUntil)
        {
            _breakUntil = 0;
        }

        LookLaterUnless(_breakUntil == 0);
    }

    // The id of the child, and so that of its group, stays reserved as long as the process is open. Those that the
    // child has left behind are in its group, unless they have chosen another.
    private bool TrySendBreak()
    {
        if (IsRunning)
        {
            return ConsoleEvents.TrySendBreak(ProcessId, [ProcessId], !_hasOwnConsole);
        }

        List<int> ids = [];
        if (!_job!.TryList(ids))
        {
            return false;
        }

        using JobMembers left = new(_job, ids);
        return ConsoleEvents.TrySendBreak(ProcessId, left.Ids, !_hasOwnConsole);
    }
}
