using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Finds the library's threads in this process by their kernel names. Threads that belong to no engine are excluded;
/// they end some seconds after the last child or start.
/// </summary>
internal static class LibraryThreads
{
    // The threads for the end of the host and for launches.
    private static readonly string[] s_shared = ["ProcessRunner h", "ProcessRunner l"];

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Waits until no such thread is left. A delivery thread ends by itself after the disposal of its engine.
    /// </summary>
    public static void ExpectNone(string when)
    {
        long begin = Stopwatch.GetTimestamp();
        while (Names() is { Count: > 0 } names)
        {
            Expect.True(
                Stopwatch.GetElapsedTime(begin) < s_patience, $"no thread is left {when}: {string.Join(", ", names)}");
            Thread.Sleep(1);
        }
    }

    private static List<string> Names()
    {
        List<string> names = [];
        foreach (string task in Directory.EnumerateDirectories("/proc/self/task"))
        {
            try
            {
                string name = File.ReadAllText($"{task}/comm").TrimEnd('\n');
                if (name.StartsWith("ProcessRunner", StringComparison.Ordinal)
                    && !s_shared.Contains(name)
                    && !task.EndsWith($"/{Environment.ProcessId}", StringComparison.Ordinal))
                {
                    names.Add(name);
                }
            }
            catch (IOException)
            {
                // The thread has ended since.
            }
        }

        return names;
    }
}
