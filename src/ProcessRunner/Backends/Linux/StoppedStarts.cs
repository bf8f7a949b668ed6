using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Wakes children that a signal to our group has stopped before their program runs: their starters sleep until it does. SIGSTOP
/// can be neither blocked nor discarded, so that it reaches every child that has no group of its own yet, and the SIGCONT that
/// follows may come when it has. posix_spawn(3) lets a child have the other signals that came before it left our group as well,
/// and one that stays there has them all. A start that takes its time is looked at by a thread of this type's own.
/// </summary>
/// <remarks>
/// To begin a start is a note: while there are starts the thread wakes by itself, and only behind a pause it has to be woken.
/// <c>s_gate</c> guards everything but <c>s_slow</c>, which is the thread's; taken inside no other lock, and never held during a look.
/// </remarks>
[SupportedOSPlatform("linux")]
internal static class StoppedStarts
{
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_rest = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_idleTime = TimeSpan.FromSeconds(5);

    private static readonly object s_gate = new();

    // By the thread that starts: when it is looked at, and how long after the look before.
    private static readonly Dictionary<int, (long LookAt, TimeSpan Pause)> s_starts = [];

    // Never grows, so that the thread needs no memory. Those that find no room have their turn at the next look.
    private static readonly List<int> s_slow = new(64);
    private static long s_lastStartAt;
    private static bool s_isWatched;
    private static bool s_isAsleep;

    /// <summary>This thread begins to start a child.</summary>
    public static void Begin(int thread)
    {
        using (Uninterruptible.Lock(s_gate))
        {
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

    /// <summary>Its start has come to its end.</summary>
    public static void End(int thread)
    {
        using (Uninterruptible.Lock(s_gate))
        {
            s_starts.Remove(thread);
        }
    }

    // Where no thread is to be had a later start tries again.
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
                    HalfMadeChild.Signal(thread, Signals.Number(SignalNumber.Continue), ifStopped: true);
                }
                catch (OutOfMemoryException)
                {
                    // The next look comes.
                }
            }
        }
    }

    // Fills in the threads whose starts are to be looked at now. False if there was no start for a while: the thread ends.
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
                // Longer and longer: it may take its time for another reason.
                ref (long LookAt, TimeSpan Pause) start = ref CollectionsMarshal.GetValueRefOrNullRef(s_starts, thread);
                TimeSpan pause = start.Pause * 2;
                start.Pause = pause < s_longestPause ? pause : s_longestPause;
                start.LookAt = MonotonicClock.After(now, start.Pause);
            }

            return true;
        }
    }
}
