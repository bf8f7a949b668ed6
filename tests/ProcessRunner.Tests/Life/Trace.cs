using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// A variable in the environment of all that a test starts: a witness of who lives that knows nothing of groups,
/// sessions or the library's own marks. What still lives at its end is killed.
/// </summary>
internal sealed class Trace : IDisposable
{
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

    public bool IsCarriedBy(int processId)
    {
        try
        {
            return File.ReadAllBytes($"/proc/{processId}/environ").AsSpan().IndexOf(_assignment) >= 0;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
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
