using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestSupport;

/// <summary>Reads the kernel's process table, the witness of everything that a library leaves behind.</summary>
public static class ProcFs
{
    /// <summary>
    /// Gets the number of this process's descriptors that are not files: pipes, sockets, pidfds and objects that the
    /// kernel has no name for. The runtime opens files of its own at any time, and a survey of the process table, which
    /// may outlast its run, also has some open. Compare the number by "at most": a finalizer may close a descriptor
    /// meanwhile.
    /// </summary>
    public static int OpenDescriptors => DescriptorTargets.Count;

    /// <summary>Gets the descriptors that <see cref="OpenDescriptors"/> counts, by number and kernel name.</summary>
    public static IReadOnlyList<string> DescriptorTargets =>
    [
        .. new DirectoryInfo("/proc/self/fd").EnumerateFiles()
            .Select(entry => (entry.Name, Target: entry.LinkTarget))
            .Where(entry => entry.Target is not null && entry.Target[0] != '/')
            .Select(entry => $"{entry.Name} {entry.Target}"),
    ];

    /// <summary>
    /// Gets the number of this process's descriptors of the null device, which the runtime never opens.
    /// </summary>
    public static int NullDevices =>
        new DirectoryInfo("/proc/self/fd").EnumerateFiles().Count(entry => entry.LinkTarget == "/dev/null");

    /// <summary>Gets the ids and names of this process's threads.</summary>
    public static IReadOnlyList<(string Id, string Name)> Threads =>
    [
        .. Directory.EnumerateDirectories("/proc/self/task")
            .Select(task => (Path.GetFileName(task), ReadLine(Path.Combine(task, "comm")))),
    ];

    /// <summary>Gets the names of this process's threads.</summary>
    public static IReadOnlyList<string> ThreadNames => [.. Threads.Select(thread => thread.Name)];

    /// <summary>Gets the name of a thread by its directory below <c>/proc</c>; empty if it has ended.</summary>
    public static string ThreadName(string task) => ReadLine(Path.Combine(task, "comm"));

    /// <summary>Counts the threads of a name that sleep in the kernel, for whatever reason.</summary>
    public static int SleepingThreads(string name) =>
        Directory.EnumerateDirectories("/proc/self/task")
            .Count(task => ReadLine(Path.Combine(task, "stat")).Contains($"({name}) S", StringComparison.Ordinal));

    /// <summary>
    /// Gets the processor time of all reactors, whose threads have the kernel name "ProcessRunner I"
    /// (proc_pid_stat(5)).
    /// </summary>
    public static TimeSpan ReactorTime =>
        TimeSpan.FromMilliseconds(10 * Directory.EnumerateDirectories("/proc/self/task")
        .Select(task => ReadLine(Path.Combine(task, "stat")))
        .Where(stat => stat.Contains("(ProcessRunner I)", StringComparison.Ordinal))
        .Select(stat => stat[(stat.LastIndexOf(')') + 2)..].Split(' '))
        .Sum(fields =>
            long.Parse(fields[11], CultureInfo.InvariantCulture)
            + long.Parse(fields[12], CultureInfo.InvariantCulture)));

    /// <summary>Gets the children of this process, including zombies.</summary>
    public static IReadOnlyList<ProcessEntry> Children =>
        [.. All().Where(entry => entry.ParentId == Environment.ProcessId)];

    /// <summary>
    /// Returns whether a process exists and is not a zombie; on other systems than Linux, by the runtime.
    /// </summary>
    public static bool IsAlive(int processId)
    {
        if (OperatingSystem.IsLinux())
        {
            return Read(processId) is { State: not ('Z' or 'X') };
        }

        try
        {
            using Process process = Process.GetProcessById(processId);
            return !process.HasExited;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    /// <summary>Gets the members of a process group that are not zombies.</summary>
    public static IReadOnlyList<ProcessEntry> LiveMembers(int processGroup) =>
        [.. All().Where(entry => entry.GroupId == processGroup && entry.State is not ('Z' or 'X'))];

    /// <summary>Gets all processes.</summary>
    public static IEnumerable<ProcessEntry> All() =>
        Directory.EnumerateDirectories("/proc")
            .Select(path => int.TryParse(Path.GetFileName(path), out int id) ? Read(id) : null)
            .OfType<ProcessEntry>();

    private static ProcessEntry? Read(int processId)
    {
        // pid (name) state ppid pgrp session …, proc_pid_stat(5); the name may contain any character.
        string stat = ReadLine($"/proc/{processId}/stat");
        int nameEnd = stat.LastIndexOf(')');
        if (nameEnd < 0)
        {
            return null;
        }

        string[] fields = stat[(nameEnd + 2)..].Split(' ');
        string name = stat[(stat.IndexOf('(', StringComparison.Ordinal) + 1)..nameEnd];

        // The kernel shows the state of the first thread, even after its end. Others may live on.
        char state = fields[0][0] == 'Z' && int.Parse(fields[17]) > 1 ? 'S' : fields[0][0];
        return new ProcessEntry(
            processId, name, state, int.Parse(fields[1]), int.Parse(fields[2]), int.Parse(fields[3]));
    }

    private static string ReadLine(string path)
    {
        try
        {
            return ProcFile.Read(path).TrimEnd('\n');
        }
        catch (UnauthorizedAccessException)
        {
            return "";
        }
    }
}
