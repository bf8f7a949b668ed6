using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Life;

/// <summary>Represents a host with a guardian and with unmarked children. All of them are killed at the end.</summary>
internal sealed class HiddenChildren : IDisposable
{
    private const int Count = 3;

    private readonly TemporaryDirectory _directory = new();
    private readonly HostWithTrace _host;

    /// <summary>Starts the host and waits until its children exist.</summary>
    public HiddenChildren(string kind, string way)
    {
        // The guardian does not use programs from the host's PATH.
        _directory.Program("grep", "#!/bin/sh\n");
        _directory.Program("kill", "#!/bin/sh\n");
        _directory.Fifo("fifo");
        File.Copy("/bin/sleep", _directory.At("new\nname bin) R 1"));
        _host = new HostWithTrace("host-of-hidden-children", _directory, kind, $"{Count}", way);
        try
        {
            HostWithTrace.WaitFor(_directory.At("ready"));
            int files = kind is "group" or "twice-forked" or "detached" ? 2 * Count : Count;
            Eventually.Is(
                () => Files.Length == files && Files.All(file => new FileInfo(file).Length > 0), "all are there");
            Ids = IdsSoFar();
            Guardian = GuardianOf(_host.Child.ProcessId, new HashSet<int>());
        }
        catch
        {
            Ids = IdsSoFar();
            Dispose();
            throw;
        }
    }

    public IReadOnlyList<int> Ids { get; }

    public int Guardian { get; }

    // A file gets its name once it is whole.
    private string[] Files =>
        [.. Directory.GetFiles(_directory, "child.*").Where(file => !file.EndsWith(".new", StringComparison.Ordinal))];

    /// <summary>
    /// Gets the guardian that a process has in addition to others. Its start returns before it has a command line.
    /// </summary>
    public static int GuardianOf(int host, IReadOnlySet<int> others)
    {
        int[] guardians = [];
        Eventually.Is(
            () => (guardians = [.. GuardiansOf(host).Where(id => !others.Contains(id))]).Length > 0,
            "the guardian runs");
        return guardians.Single();
    }

    /// <summary>Gets the guardians of a process.</summary>
    public static IEnumerable<int> GuardiansOf(int host) => ProcFs.All()
        .Where(entry => entry.ParentId == host
            && CommandLine(entry.Id).Contains("processrunner-guardian", StringComparison.Ordinal))
        .Select(entry => entry.Id);

    public void KillHost()
    {
        _ = NativeMethods.Kill(_host.Child.ProcessId, NativeMethods.SIGKILL);
        _host.Child.Wait();
    }

    public void Dispose()
    {
        _host.Dispose();
        foreach (int id in Ids.Where(ProcFs.IsAlive))
        {
            _ = NativeMethods.Kill(id, NativeMethods.SIGKILL);
        }

        _directory.Dispose();
    }

    private List<int> IdsSoFar() =>
    [
        .. Files.Select(File.ReadAllText).Where(text => text.Length > 0).Select(text => int.Parse(text)),
    ];

    private static string CommandLine(int processId)
    {
        try
        {
            return File.ReadAllText($"/proc/{processId}/cmdline");
        }
        catch (IOException)
        {
            return "";
        }
    }
}
