using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Wakes children that a signal to our group has stopped before their program runs: their starters sleep until it does.
/// posix_spawn(3) lets a child have the signals that came before it left our group, and one that stays there has them all.
/// A start that takes its time is looked at by a thread of this type's own, which is there while there are such starts.
/// </summary>
/// <remarks><c>s_gate</c> guards everything; taken inside no other lock, and never held during a look.</remarks>
[SupportedOSPlatform("linux")]
internal static class StoppedStarts
{
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_idleTime = TimeSpan.FromSeconds(5);

    private static readonly object s_gate = new();

    // By the thread that starts: when it is looked at, and how long after the look before.
    private static readonly Dictionary<int, (long LookAt, TimeSpan Pause)> s_starts = [];
    private static bool s_isWatched;

    /// <summary>This thread begins to start a child.</summary>
    public static void Begin(int thread)
    {
        using (Uninterruptible.Lock(s_gate))
        {
            s_starts[thread] = (MonotonicClock.After(MonotonicClock.Now, s_firstPause), s_firstPause);
            if (!s_isWatched)
            {
                s_isWatched = TryWatch();
            }
            else if (s_starts.Count == 1)
            {
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
        while (AwaitStarts() is int[] slow)
        {
            foreach (int thread in slow)
            {
                HalfMadeChild.Signal(thread, Signals.Number(SignalNumber.Continue), ifStopped: true);
            }
        }
    }

    // The threads whose starts are to be looked at now. Null if there was no start for a while: the thread ends.
    private static int[]? AwaitStarts()
    {
        lock (s_gate)
        {
            if (s_starts.Count == 0 && !Monitor.Wait(s_gate, s_idleTime) && s_starts.Count == 0)
            {
                s_isWatched = false;
                return null;
            }

            Monitor.Wait(s_gate, s_firstPause);
            long now = MonotonicClock.Now;
            int[] slow = [.. s_starts.Where(start => now >= start.Value.LookAt).Select(start => start.Key)];
            foreach (int thread in slow)
            {
                // Longer and longer: it may take its time for another reason.
                TimeSpan pause = s_starts[thread].Pause * 2;
                pause = pause < s_longestPause ? pause : s_longestPause;
                s_starts[thread] = (MonotonicClock.After(now, pause), pause);
            }

            return slow;
        }
    }
}
