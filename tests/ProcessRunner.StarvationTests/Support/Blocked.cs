using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>Reads the kernel's information about blocked threads.</summary>
internal static class Blocked
{
    private const int LongestThreadName = 15;

    // A kernel may hide where a thread sleeps. It then reports 0, as for a running thread.
    private static readonly Lazy<bool> s_isPlaceTold = new(() =>
        Directory.EnumerateDirectories("/proc/self/task").Any(task => TextOf(task, "wchan") is not ("0" or "")));

    /// <summary>Returns whether the main thread of a process sleeps in a write to a pipe without a reader.</summary>
    public static bool InPipeWrite(int processId) => SleepsIn($"/proc/{processId}/task/{processId}", "pipe_write");

    /// <summary>Returns whether a named thread of this process sleeps in a read of a pipe without a writer.</summary>
    public static bool InPipeRead(Thread thread)
    {
        string name = thread.Name![..int.Min(thread.Name!.Length, LongestThreadName)];
        string? task = Directory.EnumerateDirectories("/proc/self/task")
            .FirstOrDefault(path => TextOf(path, "comm").TrimEnd() == name);
        return task is not null && SleepsIn(task, "pipe_read");
    }

    /// <summary>Gets the number of bytes that a process has written so far; see proc_pid_io(5).</summary>
    public static long BytesWritten(int processId)
    {
        string line = File.ReadLines($"/proc/{processId}/io")
            .First(line => line.StartsWith("wchar: ", StringComparison.Ordinal));
        return long.Parse(line["wchar: ".Length..], CultureInfo.InvariantCulture);
    }

    private static bool SleepsIn(string task, string function)
    {
        return s_isPlaceTold.Value
            ? TextOf(task, "wchan").Contains(function, StringComparison.Ordinal)
            : TextOf(task, "stat").Contains(") S ", StringComparison.Ordinal);
    }

    private static string TextOf(string task, string file)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, file));
        }
        catch (IOException)
        {
            return "";
        }
    }
}
