using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Represents a variable in the environment of all processes that a test starts. It detects live processes
/// independently of groups, sessions and the library's own marks. Every carrier that still lives at its end is killed.
/// </summary>
internal sealed class Trace : IDisposable
{
    private const int LargestEnvironment = 256 * 1024;

    private readonly byte[] _assignment;

    /// <summary>Creates a trace with a unique value.</summary>
    public Trace(string name = "LIFE_TEST")
    {
        Name = name;
        Value = Guid.NewGuid().ToString("N");
        _assignment = Encoding.ASCII.GetBytes($"{Name}={Value}");
    }

    public string Name { get; }

    public string Value { get; }

    /// <summary>Gets the variables that a command needs to make its child and all its descendants visible.</summary>
    public IReadOnlyDictionary<string, string?> Variables => new Dictionary<string, string?> { [Name] = Value };

    /// <summary>Gets the carriers of the trace that are not zombies.</summary>
    public IReadOnlyList<ProcessEntry> Live() =>
        [.. ProcFs.All().Where(entry => entry.State is not ('Z' or 'X') && IsCarriedBy(entry.Id))];

    /// <summary>Describes the live processes for a message.</summary>
    public string Describe() => string.Join(", ", Live());

    /// <summary>
    /// Returns whether a process carries the trace. A process in the middle of an exec has no environment and is
    /// examined again.
    /// </summary>
    public bool IsCarriedBy(int processId)
    {
        string directory = $"/proc/{processId}";
        byte[] buffer = new byte[LargestEnvironment];
        try
        {
            int length;
            do
            {
                // A single read is necessary: after an exec, the rest of a partial read would be gone.
                using SafeFileHandle file = File.OpenHandle(Path.Combine(directory, "environ"));
                length = RandomAccess.Read(file, buffer, 0);
            }
            while (length == 0 && !HasNone(directory));

            return buffer.AsSpan(0, length).IndexOf(_assignment) >= 0;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    // A zombie and a kernel thread have no program. For other processes, the kernel reports where the environment and
    // the code begin and end: nowhere while an exec is under way (proc_pid_stat(5)).
    private static bool HasNone(string directory)
    {
        if (new FileInfo(Path.Combine(directory, "exe")).LinkTarget is null)
        {
            return true;
        }

        string stat = File.ReadAllText(Path.Combine(directory, "stat"));
        string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        return fields[47] == fields[48].TrimEnd() && fields[23] != "0";
    }

    public void Dispose()
    {
        // The search runs twice, because a process can be forked during a search.
        for (int looks = 0, found = 1; found > 0 || looks < 2; looks++)
        {
            IReadOnlyList<ProcessEntry> live = Live();
            found = live.Count;
            foreach (ProcessEntry entry in live)
            {
                _ = NativeMethods.Kill(entry.Id, NativeMethods.SIGKILL);
            }
        }
    }
}
