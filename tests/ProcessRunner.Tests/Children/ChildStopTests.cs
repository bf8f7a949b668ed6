using System;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Children;

public sealed class ChildStopTests
{
    private const string Stubborn = "trap '' TERM; echo ready >\"$1\"; while :; do sleep 0.01; done";
    private const string Polite = "trap 'echo bye; exit 5' TERM; echo ready >\"$1\"; while :; do sleep 0.01; done";

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Stop_OfChildThatListens_LetsItEndByItself() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ChildProcess child = Ready(directory, Polite);
        ProcessResult result = child.Stop(TimeSpan.FromMinutes(1));
        result.Outcome.Should().Be(ProcessOutcome.Canceled);
        result.StoppedBy.Should().Be(StopCause.Request);
        result.ExitCode.Should().Be(5);
        result.StandardOutput.Text.Should().Be("bye\n");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Stop_OfChildThatDoesNotListen_KillsItAfterTheGrace() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ChildProcess child = Ready(directory, Stubborn);
        ProcessResult result = child.Stop(TimeSpan.FromMilliseconds(50));
        result.ShouldHaveDiedOf(9);
        result.StoppedBy.Should().Be(StopCause.Request);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Stop_OfStoppedChild_WakesItForTheSignal() => Guard.Run(() =>
    {
        using ChildProcess child = TestPrograms.Quick("sleep", "1000000").Start();
        child.Signal((PosixSignal)(OperatingSystem.IsMacOS() ? 17 : 19)).Should().BeTrue("it is SIGSTOP");
        child.Stop(TimeSpan.FromMinutes(1)).SignalNumber.Should().Be(15);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Kill_DuringAGrace_EndsItAtOnce() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ProcessExecutor executor =
            new("stubborn", TestPrograms.Shell(Stubborn) with { StopGrace = TimeSpan.FromHours(1) });
        executor.Run(directory.Fifo("ready"));
        System.IO.File.ReadAllText(directory.At("ready"));
        executor.RequestStop();
        executor.Wait(TimeSpan.FromMilliseconds(20)).Should().BeFalse();
        executor.Result.ShouldHaveDiedOf(9);
        executor.Result.StoppedBy.Should().Be(StopCause.Request, "the first to ask counts");
    });

    [NativeBackend(".NET passes on what this process ignores, as a background job of a shell ignores SIGINT")]
    [Theory]
    [InlineData(PosixSignal.SIGINT, 2)]
    [InlineData((PosixSignal)10, 10)]
    [OnlyOn(Systems.Unix, "signals")]
    public void StopSignal_OfACommand_ComesFirst(PosixSignal signal, int number) => Guard.Run(() =>
    {
        using ChildProcess child = (TestPrograms.Quick("sleep", "1000000") with { StopSignal = signal }).Start();
        child.Stop().SignalNumber.Should().Be(number);
    });

    [Theory]
    [InlineData(0)]
    [InlineData(-100)]
    [InlineData(65)]
    [OnlyOn(Systems.Unix, "signals")]
    public void StopSignal_ThatDoesNotExist_IsRefusedAtOnce(int number) =>
        FluentActions.Invoking(() => TestPrograms.Quick() with { StopSignal = (PosixSignal)number })
            .Should().ThrowExactly<ArgumentOutOfRangeException>();

    [Fact]
    public void Graces_ThatAreNegative_AreRefused()
    {
        TimeSpan negative = TimeSpan.FromMilliseconds(-2);
        ProcessCommand command = TestPrograms.Quick();
        Func<ProcessCommand>[] misuses =
        [
            () => command with { StopGrace = negative },
            () => command with { DrainGrace = negative },
            () => command with { IdleTimeout = negative },
        ];
        misuses.Should().AllSatisfy(misuse => misuse.Should().ThrowExactly<ArgumentOutOfRangeException>());
    }

    private static ChildProcess Ready(TemporaryDirectory directory, string script)
    {
        string ready = directory.Fifo("ready");
        ChildProcess child = TestPrograms.Shell(script, ready).Start();
        System.IO.File.ReadAllText(ready);
        return child;
    }
}
