using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies the stops by several signals, each with its grace.</summary>
[OnlyOn(Systems.Unix, "signals and shell scripts")]
public sealed class StopStepTests
{
    private const string TellsAndGoesOn =
        "trap 'echo int' INT; trap 'echo term' TERM; trap 'echo usr' USR1; echo ready; while :; do sleep 0.02; done";

    private static readonly TimeSpan s_short = TimeSpan.FromMilliseconds(300);

    // SIGUSR1 has its number from the system.
    [Fact]
    public void Stop_SendsEachSignalInItsTurn_ThenSigKill() => Guard.Run(() => LongerLimits.Until(grace =>
    {
        PosixSignal usr = (PosixSignal)(OperatingSystem.IsMacOS() ? 30 : 10);
        ProcessResult result = Stopped(TellsAndGoesOn, command => command with
        {
            StopSignal = PosixSignal.SIGINT,
            StopGrace = grace,
            FurtherStops = [new StopStep(PosixSignal.SIGTERM, grace), new StopStep(usr, grace)],
        });
        result.StandardOutput.Lines().Should().Equal("ready", "int", "term", "usr");
        result.Outcome.Should().Be(ProcessOutcome.Canceled);
    }));

    [Fact]
    public void Child_ThatObeysASignal_GetsNoFurtherOne() => Guard.Run(() => LongerLimits.Until(grace =>
    {
        ProcessResult result = Stopped(
            "trap 'echo int' INT; trap 'echo term; exit 7' TERM; echo ready; while :; do sleep 0.02; done",
            command => command with
            {
                StopSignal = PosixSignal.SIGINT,
                StopGrace = grace,
                FurtherStops =
                [
                    new StopStep(PosixSignal.SIGTERM, Timeout.InfiniteTimeSpan),
                    new StopStep((PosixSignal)9, Timeout.InfiniteTimeSpan),
                ],
            });
        result.StandardOutput.Lines().Should().Equal("ready", "int", "term");
        result.ExitCode.Should().Be(7);
    }));

    [Fact]
    public void Stop_WithAGraceOfItsOwn_EndsBeforeTheStepsThatComeLater() => Guard.Run(() => LongerLimits.Until(grace =>
    {
        ProcessCommand command = TestPrograms.Shell(TellsAndGoesOn) with
        {
            StandardOutput = OutputTarget.Tee(OutputTarget.Live(), OutputTarget.Capture()),
            StopSignal = PosixSignal.SIGINT,
            StopGrace = TimeSpan.FromMinutes(10),
            FurtherStops = [new StopStep(PosixSignal.SIGTERM, TimeSpan.FromMinutes(10))],
        };
        using ChildProcess child = command.Start();
        child.WaitForLine(line => line.Content == "ready", TimeSpan.FromMinutes(1));
        child.IgnoreLines();
        child.Stop(grace).StandardOutput.Lines().Should().Equal("ready", "int");
    }));

    [Fact]
    public void Timeout_ClimbsTheWholeLadder() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessCommand command = TestPrograms.Shell(TellsAndGoesOn) with
        {
            Timeout = limit,
            StopSignal = PosixSignal.SIGINT,
            StopGrace = limit,
            FurtherStops = [new StopStep(PosixSignal.SIGTERM, limit)],
        };
        ProcessResult result = command.Run();
        result.StandardOutput.Lines().Should().EndWith(["int", "term"]);
        result.Outcome.Should().Be(ProcessOutcome.TimedOut);
    }));

    [Fact]
    public void WholeGrace_IsTheSum_OrEndless()
    {
        ProcessCommand command = new("p") { FurtherStops = [new StopStep(PosixSignal.SIGINT, s_short)] };
        command.WholeStopGrace.Should().Be(TimeSpan.FromSeconds(2) + s_short);
        (command with { StopGrace = Timeout.InfiniteTimeSpan }).WholeStopGrace.Should().Be(Timeout.InfiniteTimeSpan);
        (command with { FurtherStops = [new StopStep(PosixSignal.SIGINT, Timeout.InfiniteTimeSpan)] })
            .WholeStopGrace.Should().Be(Timeout.InfiniteTimeSpan);
        (command with { StopGrace = TimeSpan.MaxValue }).WholeStopGrace.Should().Be(Timeout.InfiniteTimeSpan);
    }

    [Fact]
    public void Steps_ThatAreNone_AreRefused()
    {
        FluentActions.Invoking(() => new StopStep((PosixSignal)65, s_short)).Should().Throw<ArgumentException>();
        FluentActions.Invoking(() => new StopStep(PosixSignal.SIGINT, TimeSpan.FromSeconds(-2)))
            .Should().Throw<ArgumentException>();
        FluentActions.Invoking(() => new ProcessCommand("p") { FurtherStops = default })
            .Should().Throw<ArgumentException>();
        FluentActions.Invoking(() => new ProcessCommand("p") { FurtherStops = [default] })
            .Should().Throw<ArgumentException>();
    }

    private static ProcessResult Stopped(string script, Func<ProcessCommand, ProcessCommand> with)
    {
        ProcessCommand command = with(TestPrograms.Shell(script) with
        {
            StandardOutput = OutputTarget.Tee(OutputTarget.Live(), OutputTarget.Capture()),
        });
        using ChildProcess child = command.Start();
        child.WaitForLine(line => line.Content == "ready", TimeSpan.FromMinutes(1));
        child.IgnoreLines();
        Stopwatch watch = Stopwatch.StartNew();
        ProcessResult result = child.Stop();

        // A step without an end is not waited for: the child ends with its signal.
        TimeSpan grace = command.WholeStopGrace == Timeout.InfiniteTimeSpan
            ? command.StopGrace
            : command.WholeStopGrace;
        watch.Elapsed.Should().BeLessThan(grace + TimeSpan.FromMinutes(1));
        return result;
    }
}
