using System;
using System.Globalization;
using System.IO;
using System.Linq;

namespace PTest.Hosts;

/// <summary>Represents a line of the kernel's process table. The host and the runner share this file.</summary>
internal readonly struct ProcessFacts
{
    /// <summary>The variable that all descendants of a process of tests have, with the value that it has.</summary>
    public const string MarkVariable = "PROCESSRUNNER_CHILD";

    private ProcessFacts(int processId, char state, int parentId, int groupId, int threads, long startTicks)
    {
        ProcessId = processId;
        State = state;
        ParentId = parentId;
        GroupId = groupId;
        Threads = threads;
        StartTicks = startTicks;
    }

    public int ProcessId { get; }

    public char State { get; }

    public int ParentId { get; }

    public int GroupId { get; }

    /// <summary>Gets the number of threads, including a first thread that has ended before the others.</summary>
    public int Threads { get; }

    /// <summary>Gets when it started, in the kernel's ticks: with the id, it names a process for good.</summary>
    public long StartTicks { get; }

    public bool IsAlive => HasLostItsFirstThread || State is not ('Z' or 'X');

    /// <summary>Gets whether it lives on in other threads. Then its own entry shows no memory.</summary>
    private bool HasLostItsFirstThread => State == 'Z' && Threads > 1;

    /// <summary>Reads the facts of a process or, by its own id, of a thread.</summary>
    /// <returns>The facts, or null if there is no such process or no such table.</returns>
    public static ProcessFacts? Of(int processId) => Parse(Read(Id(processId), "stat"));

    /// <summary>Reads the facts of this process.</summary>
    public static ProcessFacts? OfSelf() => Parse(Read("self", "stat"));

    /// <summary>Reads a file of a process; empty if that is impossible.</summary>
    public static string Read(int processId, string file) => Read(Id(processId), file);

    /// <summary>Reads a file that shows memory, such as the environment, by a thread that lives.</summary>
    public string ReadMemory(string file)
    {
        string process = Id(ProcessId);
        try
        {
            string? thread = HasLostItsFirstThread
                ? Directory.GetDirectories($"/proc/{process}/task").Select(path => Path.GetFileName(path))
                    .FirstOrDefault(name => name != process)
                : null;
            return Read(thread is null ? process : $"{process}/task/{thread}", file);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }

    private static ProcessFacts? Parse(string stat)
    {
        // pid (name) state ppid pgrp session …, proc_pid_stat(5); the name may contain any character.
        int nameEnd = stat.LastIndexOf(')');
        if (nameEnd < 0)
        {
            return null;
        }

        string[] fields = stat.Substring(nameEnd + 2).Split(' ');
        return new ProcessFacts(
            int.Parse(stat.Split(' ')[0], CultureInfo.InvariantCulture),
            fields[0][0],
            int.Parse(fields[1], CultureInfo.InvariantCulture),
            int.Parse(fields[2], CultureInfo.InvariantCulture),
            int.Parse(fields[17], CultureInfo.InvariantCulture),
            long.Parse(fields[19], CultureInfo.InvariantCulture));
    }

    private static string Read(string process, string file)
    {
        string path = $"/proc/{process}/{file}";
        try
        {
            return File.Exists(path) ? File.ReadAllText(path) : "";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It has just ended, or belongs to another user.
            return "";
        }
    }

    private static string Id(int processId) => processId.ToString(CultureInfo.InvariantCulture);
}
