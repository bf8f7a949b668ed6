using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestSupport;

/// <summary>What the kernel's process table says, as the witness of what a library left behind.</summary>
public static class ProcFs
{
    /// <summary>
    /// The number of descriptors of this process that are no files: pipes, sockets, pidfds and what the kernel has no name
    /// for. The runtime opens files of its own when it likes, and a look through the process table, which may outlast the
    /// run that asked for it, has some open as well. Compare it by "at most": a finalizer may close one meanwhile.
    /// </summary>
    public static int OpenDescriptors => DescriptorTargets.Count;

    /// <summary>What <see cref="OpenDescriptors"/> counts: a number and what the kernel calls it.</summary>
    public static IReadOnlyList<string> DescriptorTargets =>
    [
        .. new DirectoryInfo("/proc/self/fd").EnumerateFiles()
            .Select(entry => (entry.Name, Target: entry.LinkTarget))
            .Where(entry => entry.Target is not null && entry.Target[0] != '/')
            .Select(entry => $"{entry.Name} {entry.Target}"),
    ];

    /// <summary>The number of descriptors of this process that are the null device, which the runtime never opens.</summary>
    public static int NullDevices =>
        new DirectoryInfo("/proc/self/fd").EnumerateFiles().Count(entry => entry.LinkTarget == "/dev/null");

    /// <summary>The ids and names of this process's threads.</summary>
    public static IReadOnlyList<(string Id, string Name)> Threads =>
    [
        .. Directory.EnumerateDirectories("/proc/self/task")
            .Select(task => (Path.GetFileName(task), ReadLine(Path.Combine(task, "comm")))),
    ];

    /// <summary>The names of this process's threads.</summary>
    public static IReadOnlyList<string> ThreadNames => [.. Threads.Select(thread => thread.Name)];

    /// <summary>How many threads of that name sleep in the kernel, whatever they wait for there.</summary>
    public static int SleepingThreads(string name) =>
        Directory.EnumerateDirectories("/proc/self/task")
            .Count(task => ReadLine(Path.Combine(task, "stat")).Contains($"({name}) S", StringComparison.Ordinal));

    /// <summary>The processor time of all reactors, whose threads the kernel calls "ProcessRunner I" (proc_pid_stat(5)).</summary>
    public static TimeSpan ReactorTime => TimeSpan.FromMilliseconds(10 * Directory.EnumerateDirectories("/proc/self/task")
        .Select(task => ReadLine(Path.Combine(task, "stat")))
        .Where(stat => stat.Contains("(ProcessRunner I)", StringComparison.Ordinal))
        .Select(stat => stat[(stat.LastIndexOf(')') + 2)..].Split(' '))
        .Sum(fields => long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture)));

    /// <summary>The children of this process, zombies included.</summary>
    public static IReadOnlyList<ProcessEntry> Children =>
        [.. All().Where(entry => entry.ParentId == Environment.ProcessId)];

    /// <summary>Whether a process of that id is there and is no zombie.</summary>
    public static bool IsAlive(int processId) => Read(processId) is { State: not ('Z' or 'X') };

    /// <summary>The members of a process group that are no zombies.</summary>
    public static IReadOnlyList<ProcessEntry> LiveMembers(int processGroup) =>
        [.. All().Where(entry => entry.GroupId == processGroup && entry.State is not ('Z' or 'X'))];

    /// <summary>All processes.</summary>
    public static IEnumerable<ProcessEntry> All() =>
        Directory.EnumerateDirectories("/proc")
            .Select(path => int.TryParse(Path.GetFileName(path), out int id) ? Read(id) : null)
            .OfType<ProcessEntry>();

    private static ProcessEntry? Read(int processId)
    {
        // pid (name) state ppid pgrp session …, proc_pid_stat(5); the name may hold anything.
        string stat = ReadLine($"/proc/{processId}/stat");
        int nameEnd = stat.LastIndexOf(')');
        if (nameEnd < 0)
        {
            return null;
        }

        string[] fields = stat[(nameEnd + 2)..].Split(' ');
        string name = stat[(stat.IndexOf('(', StringComparison.Ordinal) + 1)..nameEnd];
        return new ProcessEntry(processId, name, fields[0][0], int.Parse(fields[1]), int.Parse(fields[2]), int.Parse(fields[3]));
    }

    private static string ReadLine(string path)
    {
        try
        {
            return File.ReadAllText(path).TrimEnd('\n');
        }
        catch (IOException)
        {
            // Gone between the listing and the reading.
            return "";
        }
        catch (UnauthorizedAccessException)
        {
            return "";
        }
    }
}
