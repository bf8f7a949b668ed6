using System;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Verifies statuses that are taken by the kernel, by other code of this program or by the runtime's own process class.
/// A result has the exact code if the kernel keeps it for the holder of a pidfd (Linux 6.15), and otherwise reports
/// that it is lost.
/// </summary>
[OnlyOn(Systems.Linux, "waitpid(2), with which others can take a status")]
[NativeBackend(".NET reaps the children itself")]
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
            int processId = child.ProcessId;
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
            int processId = child.ProcessId;
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

    // The group is not signaled then, because its number may belong to a stranger. The mark identifies its
    // descendants.
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
        _ = NativeMethods.WaitPid(child.ProcessId, &status, 0);
        ProcessResult result = child.Stop(TimeSpan.FromSeconds(5));
        trace.Live().Should().BeEmpty();
        (result.ExitCode is 5 || (!KeepsStatus && result.ExitCode is null)).Should().BeTrue($"{result}");
    });

    // An unmarked member of the group represents the stranger's group. It has lost its mark when it writes its id.
    [Fact]
    public void Stop_OfChildWhoseStatusWasTaken_LeavesTheGroupOfItsNumberAlone() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = TestPrograms.Shell(
            "env -i sh -c 'echo $$ >\"$0\"; exec sleep 1000' \"$1\" & read -r id <\"$1\"; echo $id; exit 5",
            directory.Fifo("told")) with
        {
            DrainGrace = Timeout.InfiniteTimeSpan,
        };
        using ChildProcess child = command.Start();
        int status;
        _ = NativeMethods.WaitPid(child.ProcessId, &status, 0);
        ProcessResult result = child.Stop(TimeSpan.Zero);
        int stranger = int.Parse(result.StandardOutput.Text, CultureInfo.InvariantCulture);
        ProcFs.IsAlive(stranger).Should().BeTrue();
        result.SurvivingDescendants.Should().BeEmpty();
        NativeMethods.Kill(stranger, NativeMethods.SIGKILL).Should().Be(0);
    });

    // For a moment, the kernel denies the existence of the process: after the other wait has taken it, and before its
    // status is available to us. On a busy machine the moment can take as long as thirty looks.
    [Theory]
    [InlineData(1, true)]
    [InlineData(3, true)]
    [InlineData(30, true)]
    [InlineData(int.MaxValue, false)]
    public void Status_ThatTheKernelDoesNotTellAtOnce_IsAskedForAgain(int refusals, bool isExact) => Guard.Run(() =>
        HostProcess.Play("late-status", $"{refusals}", $"{isExact}"));

    // The error is EPERM, as from a filter, or an unexpected error.
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

    // The scenario excludes the runtime's own process class, which then waits forever for the end of its children.
    [Fact]
    public void Statuses_InHostStartedWithChildSignalIgnored_AreExactOrLost() => Guard.Run(() =>
        HostProcess.PlayWith(IgnoringChildSignal, "exact-statuses", "nobody", "ignored"));

    [FactWithRight(Right.ProcessNamespaceWithTable)]
    public void Statuses_InHostThatIsProcess1_AreExactOrLost() => Guard.Run(() =>
        PlayAsProcess1("exact-statuses", "nobody"));

    // The runtime's process class then waits for any child, too: the usual case in a container.
    [FactWithRight(Right.ProcessNamespaceWithTable)]
    public void Statuses_InHostThatIsProcess1BesideTheRuntimesOwnProcessClass_AreExactOrLost() => Guard.Run(() =>
        PlayAsProcess1("exact-statuses", "process"));

    [FactWithRight(Right.ProcessNamespaceWithTable)]
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

    private static void PlayAsProcess1(string scenario, params string[] arguments)
    {
        ProcessResult probe = new ProcessCommand(
            "unshare", "--pid", "--fork", "--mount-proc", "/bin/sh", "-c", "echo $$").Run();
        probe.EnsureSuccess().StandardOutput.Text.Should().Be("1\n");
        HostProcess.PlayWith(InNamespaceOfItsOwn, scenario, arguments);
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
