using System;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.HeldPipes;

[OnlyOn(Systems.Linux, "process groups and /proc")]
[NativeBackend(".NET starts a child in the group of this process")]
public sealed class HeldPipeTests
{
    // Before, the holder has both streams.
    private const string UntilItSleeps = "until [ \"$(cat /proc/$!/comm)\" = sleep ]; do :; done; ";

    [Fact]
    public void Output_HeldByGrandchild_DoesNotHoldTheResult() => Guard.Run(() =>
    {
        ProcessResult result =
            TestPrograms.Shell("sleep 1000 2>/dev/null & " + UntilItSleeps + "echo err >&2; exit 7").Run();
        Kill(result);
        result.Outcome.Should().Be(ProcessOutcome.Exited);
        result.ExitCode.Should().Be(7);
        result.StandardOutput.IsHeldOpen.Should().BeTrue();
        result.StandardError.IsHeldOpen.Should().BeFalse();
        result.StandardError.Text.Should().Be("err\n");
    });

    [Fact]
    public void Error_HeldByGrandchild_DoesNotHoldTheResult() => Guard.Run(() =>
    {
        ProcessResult result =
            TestPrograms.Shell("sleep 1000 >/dev/null & " + UntilItSleeps + "echo err >&2; exit 7").Run();
        Kill(result);
        result.ExitCode.Should().Be(7);
        result.StandardOutput.IsHeldOpen.Should().BeFalse();
        result.StandardError.IsHeldOpen.Should().BeTrue();
        result.StandardError.Text.Should().Be("err\n");
    });

    [Fact]
    public void HeldOutput_LargerThanAPipe_IsCompleteUpToTheExit() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("sleep 1000 & seq 1 100000").Run();
        Kill(result);
        result.StandardOutput.IsHeldOpen.Should().BeTrue();
        result.StandardOutput.Lines().Should().HaveCount(100_000).And.EndWith("100000");
    });

    // A holder that writes ends by itself, because its pipe has no reader any longer.
    [Fact]
    public void HolderThatGoesOnWriting_DoesNotHoldTheResult() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("while :; do echo more; sleep 0.01; done & exit 7").Run();
        result.ExitCode.Should().Be(7);
        result.StandardOutput.IsHeldOpen.Should().BeTrue();
        result.StandardOutput.Lines().Should().OnlyContain(line => line == "more");
    });

    [Fact]
    public void HolderThatWritesWithoutPause_DoesNotHoldTheResult() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("yes >&2 & exit 7").Run();
        result.ExitCode.Should().Be(7);
        result.StandardError.IsHeldOpen.Should().BeTrue();
    });

    [Fact]
    public void HolderThatEndsInTime_GivesAllItsOutput() => Guard.Run(() =>
    {
        ProcessResult result = (TestPrograms.Shell("{ sleep 0.1; echo late; } & echo early; exit 7") with
        {
            DrainGrace = TimeSpan.FromMinutes(5),
        }).Run();
        result.ExitCode.Should().Be(7);
        result.StandardOutput.Text.Should().Be("early\nlate\n");
        result.StandardOutput.IsHeldOpen.Should().BeFalse();
        result.RunTime.Should().BeLessThan(TimeSpan.FromSeconds(100));
    });

    [Fact]
    public void ManyHeldPipes_AreWaitedForAtTheSameTime() => Guard.Run(() =>
    {
        ChildProcess[] children = [.. Enumerable.Range(0, 40).Select(code =>
            TestPrograms.Shell($"sleep 1000 & exit {code}").Start())];
        for (int code = 0; code < children.Length; code++)
        {
            ProcessResult result = children[code].Wait();
            Kill(result);
            result.ExitCode.Should().Be(code);
            result.StandardOutput.IsHeldOpen.Should().BeTrue();
        }
    });

    [Fact]
    public void Dispose_OfChildWhosePipeIsHeld_Returns() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        ChildProcess child = TestPrograms.Shell("setsid sleep 1000 & echo $! >\"$1\"; exec sleep 1000", ready).Start();
        int holder = int.Parse(System.IO.File.ReadAllText(ready));
        child.Dispose();
        ProcessResult result = child.Wait();
        TestPrograms.Shell("kill -9 \"$1\"", $"{holder}").Run();
        result.Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    // The holder is a member of the ended child's group, so the group id still belongs to it.
    private static void Kill(ProcessResult result) =>
        TestPrograms.Shell("kill -9 \"-$1\"", $"{result.ProcessId}").Run().EnsureSuccess();
}
