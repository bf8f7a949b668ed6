using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.Tests.Life;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Terminals;

/// <summary>
/// Verifies that a signal that ends a host also ends its children: in its group, and in their own groups and sessions,
/// with and without a mark. The host waits for nothing, so that the kernel reports how it ended.
/// </summary>
[OnlyOn(Systems.Linux, "pseudo terminals and signals")]
[NativeBackend(".NET starts a child in the group of this process, and has nothing that outlives it")]
public sealed class HostEndTests : IDisposable
{
    private const int SIGQUIT = 3;

    // The number of processes in the trees of the scenario.
    private const int Processes = (8 * 4) + (4 * 3) + 1 + 2;

    private readonly TemporaryDirectory _directory = new();
    private string _markPrefix = "";

    public void Dispose()
    {
        foreach (int root in Roots().Where(ProcFs.IsAlive))
        {
            _ = NativeMethods.Kill(root, NativeMethods.SIGKILL);
        }

        _directory.Dispose();
    }

    [Theory]
    [InlineData(PseudoTerminal.CtrlC, NativeMethods.SIGINT)]
    [InlineData(PseudoTerminal.CtrlBackslash, SIGQUIT)]
    public void KeyThatEndsAHost_LeavesNobody(string key, int signal) => Guard.Run(() =>
    {
        using PseudoTerminal terminal = new();
        using HostWithTrace host = Start(terminal, "none");
        terminal.Type(key);
        host.Child.Wait().SignalNumber.Should().Be(signal, host.Report);
        LeavesNobody(host);
    });

    [Fact]
    public void TerminalThatIsClosed_LeavesNobody() => Guard.Run(() =>
    {
        using PseudoTerminal terminal = new();
        using HostWithTrace host = Start(terminal, "none");
        terminal.HangUp();
        host.Child.Wait().SignalNumber.Should().Be(NativeMethods.SIGHUP, host.Report);
        LeavesNobody(host);
    });

    // The host has no terminal, like a service.
    [Theory]
    [InlineData(NativeMethods.SIGINT)]
    [InlineData(SIGQUIT)]
    [InlineData(NativeMethods.SIGTERM)]
    [InlineData(NativeMethods.SIGHUP)]
    public void SignalThatEndsAHost_LeavesNobody(int signal) => Guard.Run(() =>
    {
        using HostWithTrace host = Start(terminal: null, "none");
        _ = NativeMethods.Kill(host.Child.ProcessId, signal);
        host.Child.Wait().SignalNumber.Should().Be(signal, host.Report);
        LeavesNobody(host);
    });

    [Theory]
    [InlineData(NativeMethods.SIGTERM)]
    [InlineData(NativeMethods.SIGHUP)]
    [InlineData(NativeMethods.SIGHUP, "no-writable-code")]
    public void SignalAtAHost_WithoutAThreadToSpareInThePool_EndsItAndLeavesNobody(
        int signal, params string[] options) => Guard.Run(() =>
    {
        using HostWithTrace host = Start(terminal: null, "none", ["parked", .. options]);
        _ = NativeMethods.Kill(host.Child.ProcessId, signal);
        host.Child.Wait().SignalNumber.Should().Be(signal, host.Report);
        LeavesNobody(host);
    });

    // The runtime calls the last registered handlers first.
    [Theory]
    [InlineData("early-watch", NativeMethods.SIGTERM)]
    [InlineData("late-watch", NativeMethods.SIGTERM)]
    [InlineData("early-watch", NativeMethods.SIGHUP)]
    [InlineData("late-watch", NativeMethods.SIGHUP)]
    public void HandlerThatDoesNotCancel_SeesTheSignal_AndTheHostLeavesNobody(
        string handler, int signal) => Guard.Run(() =>
    {
        using HostWithTrace host = Start(terminal: null, handler);
        _ = NativeMethods.Kill(host.Child.ProcessId, signal);
        host.Child.Wait().SignalNumber.Should().Be(signal, host.Report);
        File.Exists(_directory.At("handled")).Should().BeTrue();
        LeavesNobody(host);
    });

    [Theory]
    [InlineData("early-console", NativeMethods.SIGINT)]
    [InlineData("late-console", NativeMethods.SIGINT)]
    [InlineData("early-cancel", NativeMethods.SIGINT)]
    [InlineData("late-cancel", SIGQUIT)]
    [InlineData("early-cancel", NativeMethods.SIGTERM)]
    [InlineData("late-cancel", NativeMethods.SIGTERM)]
    [InlineData("early-cancel", NativeMethods.SIGHUP)]
    [InlineData("late-cancel", NativeMethods.SIGHUP)]
    public void HandlerThatCancels_KeepsTheHostAndItsChildren_AlsoAfterAReturn(
        string handler, int signal) => Guard.Run(() =>
    {
        using HostWithTrace host = Start(terminal: null, handler);
        IReadOnlyList<int> before = Trees(host);
        _ = NativeMethods.Kill(host.Child.ProcessId, signal);
        HostWithTrace.WaitFor(_directory.At("handled"));
        GuardiansGo();
        File.WriteAllText(_directory.At("return"), "");
        ProcessResult result = host.Child.Wait();
        result.ExitCode.Should().Be(0, $"{host.Report} {result} {result.StandardError}");
        Trees(host).Should().Equal(before);
    });

    [Fact]
    public void HostWithoutALiveChild_LooksOutForNothing() => Guard.Run(() =>
    {
        using HostWithTrace host = new("host-that-is-idle", _directory.At("idle"));
        Eventually.Is(
            () => File.Exists(_directory.At("idle")) || host.Report != "no report", "it is idle, or has failed");
        _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGHUP);
        host.Child.Wait().SignalNumber.Should().Be(NativeMethods.SIGHUP, host.Report);
    });

    // Other handlers are registered for the signal: they decide, as soon as the pool has a thread for them.
    [Theory]
    [InlineData("early-cancel")]
    [InlineData("late-cancel")]
    public void HangUp_ThatWaitsForHandlersInAParkedPool_IsDecidedByThem(string handler) => Guard.Run(() =>
    {
        using HostWithTrace host = Start(terminal: null, handler, "parked");
        IReadOnlyList<int> before = Trees(host);
        int wakes = WakesOfSignalThread(host);
        _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGHUP);
        Eventually.Is(() => WakesOfSignalThread(host) > wakes + 3, "it has been looked at");
        File.WriteAllText(_directory.At("unpark"), "");
        HostWithTrace.WaitFor(_directory.At("handled"));
        File.WriteAllText(_directory.At("return"), "");
        host.Child.Wait().ExitCode.Should().Be(0, host.Report);
        Trees(host).Should().Equal(before);
    });

    [Theory]
    [InlineData("early-exit", NativeMethods.SIGINT)]
    [InlineData("late-exit", NativeMethods.SIGTERM)]
    public void HandlerThatExits_IsNoEndByASignal(string handler, int signal) => Guard.Run(() =>
    {
        using HostWithTrace host = Start(terminal: null, handler);
        IReadOnlyList<int> before = Trees(host);
        _ = NativeMethods.Kill(host.Child.ProcessId, signal);
        host.Child.Wait().ExitCode.Should().Be(5, host.Report);
        GuardiansGo();
        Trees(host).Should().Equal(before);
    });

    [Theory]
    [InlineData("live-on")]
    [InlineData("detached")]
    public void ChildrenThatAreToLiveOn_Do(string option) => Guard.Run(() =>
    {
        using HostWithTrace host = Start(terminal: null, "none", option);
        IReadOnlyList<int> before = Trees(host);
        _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGTERM);
        host.Child.Wait().SignalNumber.Should().Be(NativeMethods.SIGTERM, host.Report);
        GuardiansGo();
        Trees(host).Should().Equal(before);
    });

    private HostWithTrace Start(PseudoTerminal? terminal, string handler, params IEnumerable<string> options)
    {
        HostWithTrace host = new(terminal, "host-of-trees", [_directory, handler, .. options]);
        try
        {
            HostWithTrace.WaitFor(_directory.At("ready"));
            Eventually.Is(() => Trees(host).Count == Processes, $"the trees have grown: {host.Trace.Describe()}");
            _markPrefix = MarkPrefixOf(host);
            return host;
        }
        catch
        {
            host.Dispose();
            throw;
        }
    }

    private void LeavesNobody(HostWithTrace host) => Eventually.Is(
        () => host.Trace.Live().Count == 0 && !Roots().Any(ProcFs.IsAlive),
        $"no process is left: {host.Trace.Describe()}, {string.Join(", ", Roots().Where(ProcFs.IsAlive))}, "
            + $"guardians: {string.Join(", ", ProcFs.All().Where(IsGuardian))}, {host.Report}");

    private IEnumerable<int> Roots() =>
        Directory.GetFiles(_directory, "tree.*").Select(file => int.Parse(File.ReadAllText(file)));

    // One root has cleared its environment, including the trace.
    private IReadOnlyList<int> Trees(HostWithTrace host) =>
    [
        .. host.Trace.Live().Where(entry => entry.Id != host.Child.ProcessId).Select(entry => entry.Id)
            .Union(Roots().Where(ProcFs.IsAlive)).Order(),
    ];

    // The guardian of a signal's moment ends whether the host continues or ends in another way.
    private void GuardiansGo() => Eventually.Is(() => !ProcFs.All().Any(IsGuardian), "the guardian has gone");

    private static int WakesOfSignalThread(HostWithTrace host)
    {
        string task = Directory.GetDirectories($"/proc/{host.Child.ProcessId}/task")
            .Single(task => ProcFs.ThreadName(task) == "ProcessRunner h");
        string line = File.ReadAllLines(Path.Combine(task, "status"))
            .Single(line => line.StartsWith("voluntary", StringComparison.Ordinal));
        return int.Parse(line.Split('\t')[1]);
    }

    // A guardian has no environment. Its arguments contain the beginning of the marks of the host's engine.
    private bool IsGuardian(ProcessEntry entry)
    {
        try
        {
            return File.ReadAllText($"/proc/{entry.Id}/cmdline").Contains(
                $"processrunner-guardian\0{_markPrefix}", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            return false;
        }
    }

    private static string MarkPrefixOf(HostWithTrace host) => host.Trace.Live()
        .Select(entry => Regex.Match(
            File.ReadAllText($"/proc/{entry.Id}/environ"),
            @"\0PROCESSRUNNER_CHILD=(.*:)?([0-9a-f]{16}-)[0-9a-f]{8}\0"))
        .First(match => match.Success).Groups[2].Value;
}
