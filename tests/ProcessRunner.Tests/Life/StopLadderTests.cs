using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Verifies that a stop sends a signal that can be handled, then one that cannot, and returns when no process of the
/// child is left.
/// </summary>
[OnlyOn(Systems.Linux, "signals and /proc")]
[NativeBackend(".NET finds no descendants after the exit of a child")]
public sealed class StopLadderTests
{
    private const int SIGSTOP = 19;

    // No step of the ladder may depend on this time: the guard fails a test that waits for it.
    private static readonly TimeSpan s_never = TimeSpan.FromHours(1);

    [Theory]
    [InlineData(PosixSignal.SIGTERM, "TERM")]
    [InlineData(PosixSignal.SIGINT, "INT")]
    [InlineData(PosixSignal.SIGHUP, "HUP")]
    [InlineData(PosixSignal.SIGQUIT, "QUIT")]
    [InlineData((PosixSignal)12, "USR2")]
    public void StopSignal_IsWhatTheChildGetsFirst(PosixSignal signal, string name) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command = TestPrograms.Shell(
            $"for s in TERM INT HUP QUIT USR2; do trap \"echo got $s; exit 4\" $s; done; echo ready >\"$1\"; "
            + "while :; do sleep 0.01; done",
            ready);
        using ChildProcess child = (command with { StopSignal = signal, StopGrace = s_never }).Start();
        File.ReadAllText(ready);
        ProcessResult result = child.Stop();
        result.ExitCode.Should().Be(4);
        result.StandardOutput.Text.Should().Be($"got {name}\n");
    });

    [Fact]
    public void ChildThatIgnoresTheStopSignal_IsKilledAfterTheGrace() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command =
            TestPrograms.Shell("trap '' TERM; echo ready >\"$1\"; while :; do sleep 0.01; done", ready);
        using ChildProcess child = command.Start();
        File.ReadAllText(ready);
        Stopwatch watch = Stopwatch.StartNew();
        ProcessResult result = child.Stop(TimeSpan.FromMilliseconds(300));
        watch.Elapsed.Should().BeGreaterThan(TimeSpan.FromMilliseconds(290));
        (result.SignalNumber, result.Outcome).Should().Be((9, ProcessOutcome.Canceled));
        ProcFs.LiveMembers(child.ProcessId).Should().BeEmpty();
    });

    [Fact]
    public void GroupMemberThatIgnoresTheStopSignal_IsKilledAfterTheGraceAlthoughTheLeaderDied() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using Trace trace = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command = TestPrograms.Shell(
            "sh -c 'trap \"\" TERM; echo ready >\"$1\"; while :; do sleep 0.01; done' sh \"$1\" >/dev/null 2>&1 & "
            + "exec sleep 1000",
            ready);
        using ChildProcess child = (command with { Environment = trace.Variables }).Start();
        File.ReadAllText(ready);
        ProcessResult result = child.Stop(TimeSpan.FromMilliseconds(300));
        (result.SignalNumber, result.Outcome).Should().Be((15, ProcessOutcome.Canceled));
        trace.Live().Should().BeEmpty();
        result.SurvivingDescendants.Should().BeEmpty();
    });

    [Fact]
    public void GroupMemberThatTakesItsTimeToEnd_IsGivenTheGrace() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using Trace trace = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command = TestPrograms.Shell(
            "sh -c 'trap \"sleep 0.3; echo done >$2; exit 0\" TERM; echo ready >\"$1\"; while :; do sleep 0.01; done' "
            + "sh \"$1\" \"$2\" "
            + ">/dev/null 2>&1 & exec sleep 1000",
            ready,
            directory.At("done"));
        using ChildProcess child = (command with { Environment = trace.Variables, StopGrace = s_never }).Start();
        File.ReadAllText(ready);
        child.Stop().SignalNumber.Should().Be(15);
        trace.Live().Should().BeEmpty();
        File.ReadAllText(directory.At("done")).Should().Be("done\n");
    });

    [Theory]
    [InlineData(DescendantPolicy.Leave)]
    [InlineData(DescendantPolicy.KillOnStop)]
    public void SuspendedChild_IsStoppedAtItsTimeout(DescendantPolicy policy) =>
        Guard.Run(() => LongerLimits.Until(limit =>
    {
        using Trace trace = new();
        ProcessCommand command = TestPrograms.Shell("sleep 1000 & kill -STOP $$; sleep 1000");
        ProcessResult result = (command with
        {
            Timeout = limit,
            StopGrace = s_never,
            Descendants = policy,
            Environment = trace.Variables,
        }).Run();
        (result.Outcome, result.SignalNumber).Should().Be((ProcessOutcome.TimedOut, 15));
        Eventually.Is(() => trace.Live().Count == 0, "SIGTERM and SIGCONT went to the whole group");
    }));

    [Fact]
    public void SuspendedTree_IsStoppedAtItsTimeoutByWhatItsMembersDoAboutTheSignal() =>
        Guard.Run(() => LongerLimits.Until(limit =>
    {
        using Trace trace = new();
        ProcessCommand command = TestPrograms.Shell(
            "trap 'echo bye; exit 3' TERM; sh -c 'kill -STOP $$; sleep 1000' & kill -STOP $$; sleep 1000 & wait");
        ProcessResult result = (command with
        {
            Timeout = limit,
            StopGrace = TimeSpan.FromSeconds(20),
            Environment = trace.Variables,
        }).Run();
        (result.Outcome, result.ExitCode).Should().Be((ProcessOutcome.TimedOut, 3));
        result.StandardOutput.Text.Should().Be("bye\n");
        trace.Live().Should().BeEmpty();
    }));

    [Fact]
    public void Grace_OfZero_KillsWithoutTheStopSignal() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command = TestPrograms.Shell(
            "trap 'echo got TERM; exit 3' TERM; echo ready >\"$1\"; while :; do sleep 0.01; done", ready);
        using ChildProcess child = (command with { StopGrace = TimeSpan.Zero }).Start();
        File.ReadAllText(ready);
        ProcessResult result = child.Stop();
        result.SignalNumber.Should().Be(9);
        result.StandardOutput.TotalBytes.Should().Be(0);
    });

    [Fact]
    public void Grace_WithoutEnd_WaitsForTheChildAndASecondStopCanCutItShort() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command =
            TestPrograms.Shell("trap '' TERM; echo ready >\"$1\"; while :; do sleep 0.01; done", ready);
        using ChildProcess child = command.Start();
        File.ReadAllText(ready);
        Thread stopper = new(() => child.Stop(Timeout.InfiniteTimeSpan));
        stopper.Start();
        child.TryWait(TimeSpan.FromMilliseconds(300), out _).Should().BeFalse();
        child.Stop(TimeSpan.FromMilliseconds(1)).SignalNumber.Should().Be(9);
        stopper.Join();
    });

    [Fact]
    public void SecondStop_WithALongerGrace_DoesNotPutOffTheKill() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        string asked = directory.At("asked");
        ProcessCommand command =
            TestPrograms.Shell(
                "trap 'echo >\"$2\"' TERM; echo ready >\"$1\"; while :; do sleep 0.01; done", ready, asked);
        using ChildProcess child = command.Start();
        File.ReadAllText(ready);
        Thread stopper = new(() => child.Stop(TimeSpan.FromMilliseconds(500)));
        stopper.Start();
        Eventually.Is(() => File.Exists(asked) || !child.IsRunning, "the first stop is under way");
        child.Stop(s_never).SignalNumber.Should().Be(9);
        stopper.Join();
    });

    // The descendant that left holds nothing, and the grace has no end: only a survey of the process table finds it.
    [Theory]
    [InlineData(ProcessGroupMode.Own)]
    [InlineData(ProcessGroupMode.Session)]
    [InlineData(ProcessGroupMode.Inherit)]
    public void Stop_InEveryGroupMode_ReturnsWhenTheWholeTreeIsGone(ProcessGroupMode mode) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using Trace trace = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command = TestPrograms.Shell(
            "sleep 1000 & (sleep 1000 & exec sleep 1000) & "
            + "setsid sh -c 'echo ready >\"$0\"; exec sleep 1000' \"$1\" >/dev/null 2>&1 & "
            + "exec sleep 1000",
            ready);
        using ChildProcess child =
            (command with { GroupMode = mode, Environment = trace.Variables, StopGrace = s_never }).Start();
        File.ReadAllText(ready);
        ProcessEntry leader = ProcFs.All().Single(entry => entry.Id == child.ProcessId);
        (leader.GroupId == child.ProcessId).Should().Be(mode != ProcessGroupMode.Inherit);
        (leader.SessionId == child.ProcessId).Should().Be(mode == ProcessGroupMode.Session);
        ProcessResult result = child.Stop();
        (result.Outcome, result.SignalNumber).Should().Be((ProcessOutcome.Canceled, 15));
        trace.Live().Should().BeEmpty();
    });

    // During the drain, the child is a zombie that pins its group, and the descendant that left holds its output.
    [Fact]
    public void Stop_WhileTheOutputIsHeldByOneThatLeft_DoesNotWaitForTheGrace() => Guard.Run(() =>
    {
        using Trace trace = new();
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command = TestPrograms.Shell(
            "setsid sh -c 'echo ready >\"$0\"; exec sleep 1000' \"$1\" & exit 7", ready) with
        {
            DrainGrace = Timeout.InfiniteTimeSpan,
            StopGrace = Timeout.InfiniteTimeSpan,
            Environment = trace.Variables,
        };
        using ChildProcess child = command.Start();
        File.ReadAllText(ready);
        Eventually.Is(() => !ProcFs.IsAlive(child.ProcessId), "the child has exited");
        child.TryWait(TimeSpan.FromMilliseconds(200), out _).Should().BeFalse("the output is held");
        Thread stopper = new(() => child.Stop()) { IsBackground = true };
        stopper.Start();
        bool isStopped = stopper.Join(TimeSpan.FromSeconds(60));
        trace.Dispose();
        isStopped.Should().BeTrue("SIGTERM ends the escaped process");
        child.Wait().ExitCode.Should().Be(7);
    });

    [Fact]
    public void Kill_WhileTheOutputIsHeldByOneThatLeft_EndsTheRun() => Guard.Run(() =>
    {
        using Trace trace = new();
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command = TestPrograms.Shell(
            "setsid sh -c 'echo ready >\"$0\"; exec sleep 1000' \"$1\" & exit 7", ready) with
        {
            DrainGrace = Timeout.InfiniteTimeSpan,
            Environment = trace.Variables,
        };
        using ChildProcess child = command.Start();
        File.ReadAllText(ready);
        Eventually.Is(() => !ProcFs.IsAlive(child.ProcessId), "the child has exited");
        child.TryWait(TimeSpan.FromMilliseconds(200), out _).Should().BeFalse("the output is held");
        child.Kill();
        bool hasEnded = child.TryWait(TimeSpan.FromSeconds(60), out _);
        trace.Dispose();
        hasEnded.Should().BeTrue("SIGKILL ends the escaped process");
        child.Wait().ExitCode.Should().Be(7);
    });

    // A survey of the process table takes descriptors. Without any, the live descendants stay unknown, but nothing may
    // break.
    [Theory]
    [InlineData("first")]
    [InlineData("later")]
    public void Stop_InHostThatIsOutOfDescriptors_HarmsNothingAndLeavesNobody(string which) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new("stop-without-descriptors", which, directory.At("member"));
        ProcessResult result = host.Child.Wait();
        result.ExitCode.Should().Be(0, $"{host.Report} {result} {result.StandardError}");
    });

    // Every second tree is stopped while it still forks.
    [Fact]
    public void Stops_OfAThousandTreesFiveDeep_LeaveNobody() => Guard.Run(() =>
    {
        const int Count = 1000;
        const string Tree =
            """
            grow() { if [ "$1" -gt 0 ]; then grow $(($1 - 1)) & wait; else echo >"$ready"; exec sleep 1000; fi; }
            grow 5
            """;
        using Trace trace = new();
        int next = -1;
        string? failure = null;
        PlainThread[] threads = [.. Enumerable.Range(0, 8).Select(_ => PlainThread.Run(() =>
        {
            int i;
            while (failure is null && (i = Interlocked.Increment(ref next)) < Count)
            {
                using TemporaryDirectory directory = new();
                string ready = directory.At("ready");
                ProcessCommand command = TestPrograms.Shell(Tree) with
                {
                    Environment = trace.Variables.Append(new("ready", ready)).ToDictionary(),
                    StopGrace = s_never,
                };
                using ChildProcess child = command.Start();
                if (i % 2 == 0)
                {
                    Eventually.Is(() => File.Exists(ready), "the tree has grown");
                }

                ProcessResult result = child.Stop(i % 3 == 0 ? TimeSpan.Zero : s_never);
                string live = NativeMethods.Kill(-child.ProcessId, 0) != 0
                    ? ""
                    : string.Join(
                        ", ", ProcFs.LiveMembers(child.ProcessId).Where(entry => trace.IsCarriedBy(entry.Id)));
                if (live.Length > 0
                    || result.Outcome != ProcessOutcome.Canceled
                    || result.SurvivingDescendants.Count > 0)
                {
                    failure = $"{i}: {result} [{live}] [{string.Join(", ", result.SurvivingDescendants)}]";
                }
            }
        }))];
        PlainThread.JoinAll(threads);
        failure.Should().BeNull();
        trace.Live().Should().BeEmpty();
    });

    // A process's environment cannot be read at the moment of its exec.
    [Fact]
    public void Stops_WhileOneLeavesForASessionOfItsOwn_LeaveNobody() => Guard.Run(() =>
    {
        const int Count = 40;
        const int Batch = 10;
        int next = -1;
        string? failure = null;
        PlainThread[] threads = [.. Enumerable.Range(0, 4).Select(_ => PlainThread.Run(() =>
        {
            int i;
            while (failure is null && (i = Interlocked.Increment(ref next)) < Count)
            {
                using Trace trace = new();
                ProcessCommand command = TestPrograms.Shell(
                    "setsid sleep 1000 & setsid sleep 1000 & echo ready; wait") with
                {
                    Environment = trace.Variables,
                    StopGrace = s_never,
                };
                for (int j = 0; j < Batch; j++)
                {
                    using ChildProcess child = command.Start();
                    Thread.SpinWait(((i * Batch) + j) * 997 % 200_000);
                    child.Stop(j % 2 == 0 ? TimeSpan.Zero : s_never);
                }

                string live = trace.Describe();
                if (live.Length > 0)
                {
                    failure = $"{i}: {live}";
                }
            }
        }))];
        PlainThread.JoinAll(threads);
        failure.Should().BeNull();
    });
}
