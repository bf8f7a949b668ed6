using System;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Statuses that others take: the kernel, other code of this program, or the runtime's own process class. A result has
/// the exact code where the kernel keeps it for the holder of a pidfd (Linux 6.15), and otherwise says that it is lost.
/// </summary>
public sealed unsafe class TakenStatusTests
{
    private const string IgnoringChildSignal = "exec env --ignore-signal=CHLD \"$@\"";
    private const string InNamespaceOfItsOwn = "exec unshare --pid --fork --mount-proc \"$@\"";

    private static bool KeepsStatus => Environment.OSVersion.Version >= new Version(6, 15);

    [Fact]
    public void Status_TakenByForeignWaitForTheChild_IsExactWhereTheKernelKeepsIt() => Guard.Run(() =>
    {
        for (int round = 0; round < 200; round++)
        {
            using ChildProcess child = TestPrograms.Shell($"echo text; exit {round}").Start();
            int processId = child.Id;
            Thread thief = new(() =>
            {
                int status;
                _ = NativeMethods.WaitPid(processId, &status, 0);
            });
            thief.Start();
            ProcessResult result = child.Wait();
            thief.Join();
            result.StandardOutput.Text.Should().Be("text\n");
            ShouldBeExactOrLost(result, result.ExitCode == round, ProcessOutcome.Exited);
            child.Signal((PosixSignal)9).Should().BeFalse();
        }
    });

    [Fact]
    public void Signal_TakenByForeignWaitForTheChild_IsExactWhereTheKernelKeepsIt() => Guard.Run(() =>
    {
        for (int round = 0; round < 100; round++)
        {
            using ChildProcess child = new ProcessCommand("sleep", "1000").Start();
            int processId = child.Id;
            Thread thief = new(() =>
            {
                int status;
                _ = NativeMethods.WaitPid(processId, &status, 0);
            });
            thief.Start();
            child.Signal(PosixSignal.SIGTERM).Should().BeTrue();
            ProcessResult result = child.Wait();
            thief.Join();
            ShouldBeExactOrLost(result, result.SignalNumber == 15, ProcessOutcome.Signaled);
        }
    });

    // Its group is not signalled then, for the number may be a stranger's: its descendants are found by their mark.
    [Fact]
    public void Stop_OfChildWhoseStatusWasTaken_StillFindsItsDescendants() => Guard.Run(() =>
    {
        using Trace trace = new();
        ProcessCommand command = TestPrograms.Shell("sleep 1000 & exit 5") with
        {
            DrainGrace = Timeout.InfiniteTimeSpan,
            Environment = trace.Variables,
        };
        using ChildProcess child = command.Start();
        int status;
        _ = NativeMethods.WaitPid(child.Id, &status, 0);
        ProcessResult result = child.Stop(TimeSpan.FromSeconds(5));
        trace.Live().Should().BeEmpty();
        (result.ExitCode is 5 || (!KeepsStatus && result.ExitCode is null)).Should().BeTrue($"{result}");
    });

    // A member of it that carries no mark stands for the stranger's group.
    [Fact]
    public void Stop_OfChildWhoseStatusWasTaken_LeavesTheGroupOfItsNumberAlone() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string told = directory.At("told");
        ProcessCommand command = TestPrograms.Shell("env -i sleep 1000 & echo $! >\"$1\"; exit 5", told) with
        {
            DrainGrace = Timeout.InfiniteTimeSpan,
        };
        using ChildProcess child = command.Start();
        int status;
        _ = NativeMethods.WaitPid(child.Id, &status, 0);
        int stranger = int.Parse(File.ReadAllText(told), CultureInfo.InvariantCulture);
        ProcessResult result = child.Stop(TimeSpan.Zero);
        ProcFs.IsAlive(stranger).Should().BeTrue();
        result.SurvivingDescendants.Should().BeEmpty();
        NativeMethods.Kill(stranger, NativeMethods.SIGKILL).Should().Be(0);
    });

    // The kernel says for a moment that there is no such process: after the other's wait has taken it, and before its status is
    // there for us.
    [Theory]
    [InlineData(1, true)]
    [InlineData(3, true)]
    [InlineData(int.MaxValue, false)]
    public void Status_ThatTheKernelDoesNotTellAtOnce_IsAskedForAgain(int refusals, bool isExact) => Guard.Run(() =>
        HostProcess.Play("late-status", $"{refusals}", $"{isExact}"));

    // By EPERM, as a filter does, or by an error that nobody expects.
    [Theory]
    [InlineData(1)]
    [InlineData(22)]
    public void Wait_ThatTheKernelRefuses_LosesTheStatusAndNothingElse(int error) => Guard.Run(() =>
        HostProcess.Play("refused-wait-call", $"{error}"));

    [Fact]
    public void Status_OfAZombieThatATracerHolds_IsAwaitedWithoutSpinning() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        HostProcess.Play("held-zombie", directory);
    });

    [Fact]
    public void Statuses_BesideThreadThatTakesEveryone_AreExactOrLostAndNoStartFails() => Guard.Run(() =>
        HostProcess.Play("exact-statuses", "steal"));

    [Fact]
    public void Statuses_BesideTheRuntimesOwnProcessClass_AreExactOrLost() => Guard.Run(() =>
        HostProcess.Play("exact-statuses", "process"));

    // Without the runtime's own process class: that one waits for ever for the end of its children then.
    [Fact]
    public void Statuses_InHostStartedWithChildSignalIgnored_AreExactOrLost() => Guard.Run(() =>
        HostProcess.PlayWith(IgnoringChildSignal, "exact-statuses", "nobody", "ignored"));

    [Fact]
    public void Statuses_InHostThatIsProcess1_AreExactOrLost() => Guard.Run(() =>
        PlayAsProcess1("exact-statuses", "nobody"));

    // The runtime's process class waits for any child then, too: the usual case in a container.
    [Fact]
    public void Statuses_InHostThatIsProcess1BesideTheRuntimesOwnProcessClass_AreExactOrLost() => Guard.Run(() =>
        PlayAsProcess1("exact-statuses", "process"));

    [Fact]
    public void Escapee_InHostThatIsProcess1_IsFoundAndOthersAreLeftAlone() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        PlayAsProcess1("orphans-that-come-to-us", "init", directory.At("escaped"));
    });

    [Fact]
    public void Escapee_InHostThatIsSubreaper_IsFoundAndOthersAreLeftAlone() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        HostProcess.Play("orphans-that-come-to-us", "subreaper", directory.At("escaped"));
    });

    [Fact]
    public void ProcessesOfTheRuntimeAndOurs_SideBySide_LoseNothing() => Guard.Run(() =>
        HostProcess.Play("side-by-side"));

    // A namespace of processes takes rights that a build machine may not give.
    private static void PlayAsProcess1(string scenario, params string[] arguments)
    {
        ProcessResult probe = new ProcessCommand(
            "unshare", "--pid", "--fork", "--mount-proc", "/bin/sh", "-c", "echo $$").Run();
        if (probe.IsSuccess)
        {
            probe.StandardOutput.Text.Should().Be("1\n");
            HostProcess.PlayWith(InNamespaceOfItsOwn, scenario, arguments);
        }
        else
        {
            probe.StandardError.Text.Should().MatchRegex(
                "unshare.*(not permitted|denied|Invalid argument|No space)", "only a missing right keeps this test from running");
        }
    }

    private static void ShouldBeExactOrLost(ProcessResult result, bool isExact, ProcessOutcome outcome)
    {
        if (KeepsStatus || result.Outcome != ProcessOutcome.StatusLost)
        {
            isExact.Should().BeTrue($"{result}");
            result.Outcome.Should().Be(outcome);
        }
        else
        {
            (result.ExitCode, result.SignalNumber).Should().Be((null, null));
        }
    }
}
