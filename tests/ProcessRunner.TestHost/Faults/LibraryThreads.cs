using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// The library's threads in this process, as the kernel names them, but for those that belong to no engine and end some seconds
/// after the last child or start.
/// </summary>
internal static class LibraryThreads
{
    // The end of the host, and the launches.
    private static readonly string[] s_shared = ["ProcessRunner h", "ProcessRunner l"];

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    /// <summary>Waits until there is none. A delivery thread ends by itself once its engine has been disposed.</summary>
    public static void ExpectNone(string when)
    {
        long begin = Stopwatch.GetTimestamp();
        while (Names() is { Count: > 0 } names)
        {
            Expect.True(Stopwatch.GetElapsedTime(begin) < s_patience, $"no thread is left {when}: {string.Join(", ", names)}");
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
                if (name.StartsWith("ProcessRunner", StringComparison.Ordinal) && !s_shared.Contains(name) && !task.EndsWith($"/{Environment.ProcessId}", StringComparison.Ordinal))
                {
                    names.Add(name);
                }
            }
            catch (IOException)
            {
                // It has ended since.
            }
        }

        return names;
    }
}
