using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// A variable in the environment of all that a test starts: a witness of who lives that knows nothing of groups,
/// sessions or the library's own marks. What still lives at its end is killed.
/// </summary>
internal sealed class Trace : IDisposable
{
    private const int LargestEnvironment = 256 * 1024;

    private readonly byte[] _assignment;

    /// <summary>Makes one with a value that nobody else has.</summary>
    public Trace(string name = "LIFE_TEST")
    {
        Name = name;
        Value = Guid.NewGuid().ToString("N");
        _assignment = Encoding.ASCII.GetBytes($"{Name}={Value}");
    }

    public string Name { get; }

    public string Value { get; }

    /// <summary>What a command needs for its child and all its descendants to be seen.</summary>
    public IReadOnlyDictionary<string, string?> Variables => new Dictionary<string, string?> { [Name] = Value };

    /// <summary>Those that carry it and are no zombies.</summary>
    public IReadOnlyList<ProcessEntry> Live() =>
        [.. ProcFs.All().Where(entry => entry.State is not ('Z' or 'X') && IsCarriedBy(entry.Id))];

    /// <summary>Who still lives, for a message.</summary>
    public string Describe() => string.Join(", ", Live());

    /// <summary>Whether a process carries it. In the middle of an exec one has no environment: it is looked at again.</summary>
    public bool IsCarriedBy(int processId)
    {
        string directory = $"/proc/{processId}";
        byte[] buffer = new byte[LargestEnvironment];
        try
        {
            int length;
            do
            {
                // At once: the rest of what is read in parts is gone after an exec.
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

    // A zombie and a thread of the kernel's have no program. Else the kernel tells where the environment begins and ends, and where
    // the code does: nowhere, as long as an exec is under way (proc_pid_stat(5)).
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
        // Twice, because one can be forked during a look.
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
