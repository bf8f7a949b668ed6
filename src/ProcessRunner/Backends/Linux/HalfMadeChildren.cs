using System;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Wakes children that a signal to our group has stopped before their program runs: their starters sleep until it does.
/// posix_spawn(3) lets a child have the signals that came before it left our group, and nobody can discard SIGSTOP. A start
/// that takes its time is looked at by a thread of this type's own, which is there while there are starts.
/// </summary>
/// <remarks><c>s_gate</c> guards everything; taken inside no other lock, and never held during a look.</remarks>
[SupportedOSPlatform("linux")]
internal static class HalfMadeChildren
{
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_idleTime = TimeSpan.FromSeconds(5);

    private static readonly object s_gate = new();

    // The starts under way: those of this turn, by its number, and those of turns before. A turn lasts until these have ended.
    private static readonly int[] s_starts = new int[2];
    private static int s_turn;
    private static bool s_isWatched;
    private static bool s_isIdle;

    /// <summary>A start begins.</summary>
    /// <returns>What <see cref="End"/> is to be told.</returns>
    public static int Begin()
    {
        using (Uninterruptible.Lock(s_gate))
        {
            s_starts[s_turn]++;
            if (s_isIdle)
            {
                s_isIdle = false;
                Monitor.Pulse(s_gate);
            }

            s_isWatched = s_isWatched || TryWatch();
            return s_turn;
        }
    }

    /// <summary>A start has come to its end.</summary>
    public static void End(int turn)
    {
        using (Uninterruptible.Lock(s_gate))
        {
            s_starts[turn]--;
        }
    }

    /// <summary>Wakes all of them. Any thread.</summary>
    /// <exception cref="IOException">The process table cannot be read now.</exception>
    public static void Wake()
    {
        // Else the numbers in the table are those of another namespace.
        if (new FileInfo("/proc/self").LinkTarget != $"{Environment.ProcessId}")
        {
            return;
        }

        foreach (int processId in ProcessTable.ProcessIds().Where(ProcessTable.IsHalfMadeAndStopped))
        {
            int pidfd = LibC.PidFdOpen(processId);
            if (pidfd >= 0)
            {
                // Looked at again: the number could have become a stranger's before the pidfd was there.
                if (ProcessTable.IsHalfMadeAndStopped(processId))
                {
                    _ = LibC.PidFdSendSignal(pidfd, Signals.Number(SignalNumber.Continue));
                }

                _ = LibC.Close(pidfd);
            }
        }
    }

    // Where no thread is to be had a later start tries again.
    private static bool TryWatch()
    {
        try
        {
            new Thread(Watch) { Name = "ProcessRunner starts", IsBackground = true }.UnsafeStart();
            return true;
        }
        catch (Exception exception) when (exception is OutOfMemoryException or ThreadStartException)
        {
            return false;
        }
    }

    private static void Watch()
    {
        TimeSpan pause = s_firstPause;
        while (AwaitStarts())
        {
            if (!AreOldOnesThereAfter(pause))
            {
                pause = s_firstPause;
                continue;
            }

            // Longer and longer: they hang for another reason.
            pause = pause * 2 < s_longestPause ? pause * 2 : s_longestPause;
            try
            {
                Wake();
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or OutOfMemoryException)
            {
                // The next look is as good.
            }
        }
    }

    // False if there was none for a while: the thread ends.
    private static bool AwaitStarts()
    {
        lock (s_gate)
        {
            s_isIdle = s_starts[0] + s_starts[1] == 0;
            s_isWatched = !s_isIdle || Monitor.Wait(s_gate, s_idleTime) || s_starts[0] + s_starts[1] > 0;
            s_isIdle = false;
            return s_isWatched;
        }
    }

    private static bool AreOldOnesThereAfter(TimeSpan pause)
    {
        lock (s_gate)
        {
            Monitor.Wait(s_gate, pause);
            bool areThere = s_starts[1 - s_turn] > 0;
            s_turn = areThere ? s_turn : 1 - s_turn;
            return areThere;
        }
    }
}
