using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides wakeups for children that a signal to this process's group has stopped before their program runs: their
/// starters sleep until it does. SIGSTOP can be neither blocked nor discarded, so it reaches every child that has no
/// group of its own yet, and the SIGCONT that follows may arrive when the child has one. With posix_spawn(3) a child
/// also receives the other signals that arrived before it left the group, and a child that stays in the group receives
/// them all. A dedicated thread checks the starts that take long.
/// </summary>
/// <remarks>
/// The state belongs to the process, because a signal to its group stops the starts of every engine. Beginning a start
/// costs only a note: while there are starts, the thread wakes by itself, and only after a pause it must be woken.
/// <c>s_gate</c> guards all state except <c>s_slow</c>, which belongs to the thread. The gate is acquired inside no
/// other lock, and is never held during a check.
/// </remarks>
[SupportedOSPlatform("linux")]
internal static class StoppedStarts
{
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_rest = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_idleTime = TimeSpan.FromSeconds(5);

    private static readonly object s_gate = new();

    // By the id of the starting thread: the instant of the next check, and the pause since the previous one.
    private static readonly Dictionary<int, (long LookAt, TimeSpan Pause)> s_starts = [];

    // Never grows, so that the thread needs no memory. A start that finds no room here is handled by the next check.
    private static readonly List<int> s_slow = new(64);
    private static long s_lastStartAt;
    private static bool s_isWatched;
    private static bool s_isAsleep;

    /// <summary>Notes that the calling thread, which has the given id, begins to start a child.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for the note. Nothing has changed.</exception>
    public static void Begin(int thread)
    {
        using (Uninterruptible.Lock(s_gate))
        {
            FaultPoint.AllocateManaged();
            s_lastStartAt = MonotonicClock.Now;
            s_starts[thread] = (MonotonicClock.After(s_lastStartAt, s_firstPause), s_firstPause);
            if (!s_isWatched)
            {
                s_isWatched = TryWatch();
            }
            else if (s_isAsleep)
            {
                s_isAsleep = false;
                Monitor.Pulse(s_gate);
            }
        }
    }

    /// <summary>Notes that the start of that thread is over.</summary>
    public static void End(int thread)
    {
        using (Uninterruptible.Lock(s_gate))
        {
            s_starts.Remove(thread);
        }
    }

    // If no thread is available, a later start tries again.
    private static bool TryWatch()
    {
        try
        {
            OwnThread.Start("ProcessRunner launches", Watch);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    private static void Watch()
    {
        while (AwaitStarts())
        {
            foreach (int thread in s_slow)
            {
                try
                {
                    HalfMadeChild.Signal(thread, LibC.SIGCONT, ifStopped: true);
                }
                catch (OutOfMemoryException)
                {
                    // The next check tries again.
                }
            }
        }
    }

    // Collects the threads whose starts must be checked now. Returns false if there was no start for a while: the
    // thread ends.
    private static bool AwaitStarts()
    {
        s_slow.Clear();
        lock (s_gate)
        {
            if (s_starts.Count == 0 && MonotonicClock.Now >= MonotonicClock.After(s_lastStartAt, s_rest))
            {
                s_isAsleep = true;
                Monitor.Wait(s_gate, s_idleTime);
                s_isWatched = !s_isAsleep;
                s_isAsleep = false;
                if (!s_isWatched)
                {
                    return false;
                }
            }

            Monitor.Wait(s_gate, s_firstPause);
            long now = MonotonicClock.Now;
            foreach ((int thread, (long lookAt, _)) in s_starts)
            {
                if (now >= lookAt && s_slow.Count < s_slow.Capacity)
                {
                    s_slow.Add(thread);
                }
            }

            foreach (int thread in s_slow)
            {
                // The pause grows, because the start may take long for another reason.
                ref (long LookAt, TimeSpan Pause) start = ref CollectionsMarshal.GetValueRefOrNullRef(s_starts, thread);
                TimeSpan pause = start.Pause * 2;
                start.Pause = pause < s_longestPause ? pause : s_longestPause;
                start.LookAt = MonotonicClock.After(now, start.Pause);
            }

            return true;
        }
    }
}
