using System;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Children;

[OnlyOn(Systems.Unix, "signals")]
public sealed class SignalTests
{
    private static readonly ProcessCommand s_sleeper = new("sleep", "1000");

    [NativeBackend(".NET passes on what this process ignores, as a background job of a shell ignores SIGINT")]
    [Theory]
    [InlineData(PosixSignal.SIGHUP, 1)]
    [InlineData(PosixSignal.SIGINT, 2)]
    [InlineData(PosixSignal.SIGTERM, 15)]
    [InlineData((PosixSignal)9, 9)]
    [InlineData((PosixSignal)12, 12)]
    [InlineData((PosixSignal)64, 64)]
    public void Signal_ToRunningChild_EndsItByThatSignal(PosixSignal signal, int number) => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        child.Signal(signal).Should().BeTrue();
        ProcessResult result = child.Wait();

        // A signal that the caller sent by number is not a stop by this library.
        result.Outcome.Should().Be(ProcessOutcome.Signaled);
        result.SignalNumber.Should().Be(number);
    });

    [Fact]
    public void Signal_ThatTheChildHandles_IsHandled() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        using ChildProcess child = TestPrograms.Shell(
            "trap 'echo caught; exit 5' TERM; echo ready >\"$1\"; while :; do sleep 0.01; done", ready).Start();
        System.IO.File.ReadAllText(ready).Should().Be("ready\n");
        child.Signal(PosixSignal.SIGTERM).Should().BeTrue();
        ProcessResult result = child.Wait();
        result.Outcome.Should().Be(ProcessOutcome.Exited);
        result.ExitCode.Should().Be(5);
        result.StandardOutput.Text.Should().Be("caught\n");
    });

    [NativeBackend(".NET reports a death by a signal as an exit code")]
    [Fact]
    public void Signal_ReachesTheChildAloneAndNotItsGroup() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        using ChildProcess child = TestPrograms.Shell(
            "sleep 1000 >/dev/null 2>&1 & echo $! >\"$1\"; wait", ready).Start();
        int grandchild = int.Parse(System.IO.File.ReadAllText(ready));
        child.Signal(PosixSignal.SIGTERM).Should().BeTrue();
        child.Wait().SignalNumber.Should().Be(15);
        ProcFs.IsAlive(grandchild).Should().BeTrue();
        TestPrograms.Shell("kill -9 \"$1\"", $"{grandchild}").Run().EnsureSuccess();
    });

    [Theory]
    [InlineData(PosixSignal.SIGTERM)]
    [InlineData((PosixSignal)9)]
    public void Signal_ToEndedChild_ReturnsFalse(PosixSignal signal) => Guard.Run(() =>
    {
        using ChildProcess child = new ProcessCommand("true").Start();
        child.Wait();
        child.Signal(signal).Should().BeFalse();
    });

    [Theory]
    [InlineData(0)]
    [InlineData(-100)]
    [InlineData(65)]
    [InlineData(1000)]
    public void Signal_ThatDoesNotExist_Throws(int number) => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        child.Invoking(c => c.Signal((PosixSignal)number)).Should().ThrowExactly<ArgumentOutOfRangeException>();
        ProcFs.IsAlive(child.ProcessId).Should().BeTrue();
        child.Kill();
        child.Wait();
        child.Invoking(c => c.Signal((PosixSignal)number)).Should().ThrowExactly<ArgumentOutOfRangeException>();
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void StopAndContinue_DoNotEndTheChild() => Guard.Run(() =>
    {
        const PosixSignal Stop = (PosixSignal)19;
        using ChildProcess child = s_sleeper.Start();
        child.Signal(Stop).Should().BeTrue();
        Eventually.Is(() => StateOf(child.ProcessId) == 'T', "the child is stopped");
        child.IsRunning.Should().BeTrue();
        child.Signal(PosixSignal.SIGCONT).Should().BeTrue();
        Eventually.Is(() => StateOf(child.ProcessId) != 'T', "the child runs on");
        child.IsRunning.Should().BeTrue();
    });

    private static char? StateOf(int processId)
    {
        foreach (ProcessEntry entry in ProcFs.Children)
        {
            if (entry.Id == processId)
            {
                return entry.State;
            }
        }

        return null;
    }
}
