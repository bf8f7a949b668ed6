using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Verifies that the result names the cause of a child's end, its kind of death and all output before it.
/// </summary>
public sealed class OutcomeTests
{
    private static readonly TimeSpan s_soon = TimeSpan.FromMilliseconds(300);

    public enum Road
    {
        WaitLimit,
        WaitAllLimit,
        Token,
        RequestStop,
        Stop,
        Kill,
        Dispose,
        ExecutorDispose,
        EngineDispose,
    }

    [Theory]
    [InlineData(Road.WaitLimit, ProcessOutcome.TimedOut, StopCause.WaitLimit, 9)]
    [InlineData(Road.WaitAllLimit, ProcessOutcome.TimedOut, StopCause.WaitLimit, 9)]
    [InlineData(Road.Token, ProcessOutcome.Canceled, StopCause.CancellationToken, 15)]
    [InlineData(Road.RequestStop, ProcessOutcome.Canceled, StopCause.Request, 15)]
    [InlineData(Road.Stop, ProcessOutcome.Canceled, StopCause.Request, 15)]
    [InlineData(Road.Kill, ProcessOutcome.Canceled, StopCause.Request, 9)]
    [InlineData(Road.Dispose, ProcessOutcome.Canceled, StopCause.Dispose, 15)]
    [InlineData(Road.ExecutorDispose, ProcessOutcome.Canceled, StopCause.Dispose, 15)]
    [InlineData(Road.EngineDispose, ProcessOutcome.Canceled, StopCause.EngineDispose, 9)]
    [OnlyOn(Systems.Unix, "signals")]
    public void Result_OnEveryRoad_TellsWhoHowAndWhatWasWritten(
        Road road, ProcessOutcome outcome, StopCause stoppedBy, int signal) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.At("ready");
        ProcessCommand command =
            TestPrograms.Quick("seq", "1", "20000", "err", "err", "touch", ready, "sleep", "1000000");
        ProcessResult result = Take(road, command, ready);
        result.Outcome.Should().Be(outcome);
        result.StoppedBy.Should().Be(stoppedBy);
        if (!OperatingSystem.IsWindows())
        {
            result.SignalNumber.Should().Be(signal);
            result.Signal.Should().Be(signal == 15 ? PosixSignal.SIGTERM : (PosixSignal)9);
            result.ExitCode.Should().BeNull();
        }

        result.CoreDumped.Should().BeFalse();
        result.IsSuccess.Should().BeFalse();
        result.StandardOutput.Lines().Should().HaveCount(20_000).And.EndWith("20000");
        result.StandardOutput.IsHeldOpen.Should().BeFalse();
        result.StandardError.Text.Should().Be("err\n");
        result.SurvivingDescendants.Should().BeEmpty();
    });

    [Fact]
    public void Timeout_ThatPasses_IsToldWithAllThatWasWritten() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessCommand command = TestPrograms.Quick("seq", "1", "20000", "err", "err", "sleep", "1000000");
        ProcessResult result = (command with { Timeout = limit }).Run();
        (result.Outcome, result.StoppedBy).Should().Be((ProcessOutcome.TimedOut, StopCause.Timeout));
        result.SignalNumber.Should().Be(OperatingSystem.IsWindows() ? null : 15);
        result.StandardOutput.Lines().Should().HaveCount(20_000);
        result.StandardError.Text.Should().Be("err\n");
    }));

    [Fact]
    public void Timeout_OfZero_StopsAtOnceAndIsToldAsSuch() => Guard.Run(() =>
    {
        ProcessResult result = (TestPrograms.Quick("sleep", "1000000") with { Timeout = TimeSpan.Zero }).Run();
        (result.Outcome, result.StoppedBy).Should().Be((ProcessOutcome.TimedOut, StopCause.Timeout));
    });

    [Fact]
    public void IdleTimeout_OfChildThatFallsSilent_IsToldWithAllThatWasWritten() =>
        Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessCommand command = TestPrograms.Quick("seq", "1", "20000", "err", "err", "sleep", "1000000");
        ProcessResult result = (command with { IdleTimeout = limit }).Run();
        (result.Outcome, result.StoppedBy).Should().Be((ProcessOutcome.IdleTimedOut, StopCause.IdleTimeout));
        result.SignalNumber.Should().Be(OperatingSystem.IsWindows() ? null : 15);
        result.StandardOutput.Lines().Should().HaveCount(20_000);
        result.StandardError.Text.Should().Be("err\n");
    }));

    // The limit is many times the pause between two lines, and the run is longer than the limit. A machine that stands
    // still for as long makes the child idle indeed: then another run tells.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void IdleTimeout_OfChildThatKeepsWritingToOneStream_DoesNotPass(int stream) => Guard.Run(() =>
    {
        const int Attempts = 5;
        ProcessCommand command = TestPrograms.Quick([
            .. Enumerable.Repeat((string[])[stream == 1 ? "echo" : "err", "line", "sleep", "50"], 60)
                .SelectMany(words => words),
            "return",
            "7",
        ]);
        ProcessResult result = Enumerable.Range(0, Attempts)
            .Select(_ => (command with { IdleTimeout = TimeSpan.FromSeconds(2) }).Run())
            .First(result => result.Outcome != ProcessOutcome.IdleTimedOut);
        (result.Outcome, result.ExitCode).Should().Be((ProcessOutcome.Exited, 7));
        result.RunTime.Should().BeGreaterThan(TimeSpan.FromSeconds(2));
    });

    [Fact]
    public void IdleTimeoutAndTimeout_TheEarlierDecides() => Guard.Run(() =>
    {
        ProcessCommand sleeper = TestPrograms.Quick("sleep", "1000000");
        (sleeper with { IdleTimeout = s_soon, Timeout = TimeSpan.FromSeconds(100) }).Run()
            .Outcome.Should().Be(ProcessOutcome.IdleTimedOut);
        (sleeper with { Timeout = s_soon, IdleTimeout = TimeSpan.FromSeconds(100) }).Run()
            .Outcome.Should().Be(ProcessOutcome.TimedOut);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void FirstStop_OfSeveral_IsTheOneThatIsTold() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command =
            TestPrograms.Shell("trap '' TERM; echo ready >\"$1\"; while :; do sleep 1; done", ready);
        using ProcessExecutor executor = new(
            "stubborn", command with { StopGrace = Timeout.InfiniteTimeSpan }, engine);
        executor.Run();
        File.ReadAllText(ready);
        executor.RequestStop();
        executor.Wait(TimeSpan.Zero).Should().BeFalse();
        executor.Dispose();
        engine.Dispose();
        (executor.Result.Outcome, executor.Result.StoppedBy, executor.Result.SignalNumber)
            .Should().Be((ProcessOutcome.Canceled, StopCause.Request, 9));
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void ChildThatAnswersAStopWithAnExitCode_HasBoth() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        using ChildProcess child = TestPrograms.Shell(
            "trap 'echo bye; exit 9' TERM; echo ready >\"$1\"; while :; do sleep 0.01; done", ready).Start();
        File.ReadAllText(ready);
        ProcessResult result = child.Stop(TimeSpan.FromSeconds(100));
        (result.Outcome, result.StoppedBy, result.ExitCode, result.SignalNumber)
            .Should().Be((ProcessOutcome.Canceled, StopCause.Request, 9, null));
        result.StandardOutput.Text.Should().Be("bye\n");
        result.IsSuccess.Should().BeFalse();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void ChildThatAnswersAStopWithZero_IsNoSuccess() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        using ChildProcess child = TestPrograms.Shell(
            "trap 'exit 0' TERM; echo ready >\"$1\"; while :; do sleep 0.01; done", ready).Start();
        File.ReadAllText(ready);
        ProcessResult result = child.Stop(TimeSpan.FromSeconds(100));
        (result.Outcome, result.ExitCode, result.IsSuccess).Should().Be((ProcessOutcome.Canceled, 0, false));
    });

    [NativeBackend(".NET reports a death by a signal as an exit code")]
    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void ExitCode9_AndSigkillOfOthers_AreNeverAlike() => Guard.Run(() =>
    {
        ProcessResult code = TestPrograms.Quick("return", "9").Run();
        ProcessResult signal = TestPrograms.Shell("kill -9 $$").Run();
        (code.Outcome, code.ExitCode, code.SignalNumber, code.StoppedBy)
            .Should().Be((ProcessOutcome.Exited, 9, null, StopCause.None));
        (signal.Outcome, signal.ExitCode, signal.SignalNumber, signal.StoppedBy)
            .Should().Be((ProcessOutcome.Signaled, null, 9, StopCause.None));
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void ExitCode127_AndMissingProgram_AreNeverAlike() => Guard.Run(() =>
    {
        ProcessResult shell = TestPrograms.Shell("/does/not/exist 2>/dev/null").Run();
        (shell.Outcome, shell.ExitCode).Should().Be((ProcessOutcome.Exited, 127));
        Action start = () => new ProcessCommand("/does/not/exist").Run();
        start.Should().Throw<ProcessStartException>().Which.Step.Should().Be(ProcessStartStep.NotFound);
    });

    // An ended child cannot be stopped any longer: its own ending stands.
    [NativeBackend(".NET finds no descendants after the exit of a child")]
    [Theory]
    [InlineData(Road.Stop)]
    [InlineData(Road.Kill)]
    [InlineData(Road.Dispose)]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void StopAfterTheExit_WhileItsOutputIsHeld_LeavesTheOutcome(Road road) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using Trace trace = new();
        ProcessCommand command = TestPrograms.Shell("sleep 1000 & echo $$ >\"$1\"; exit 7", directory.At("pid"));
        ChildProcess child = (command with
        {
            DrainGrace = Timeout.InfiniteTimeSpan,
            Environment = trace.Variables,
        }).Start();
        Eventually.Is(() => !ProcFs.IsAlive(child.ProcessId), "the child has exited");

        // The reactor may not have noticed a zombie yet; it has noticed the exit of a child whose run waits for the
        // rest.
        child.TryWait(TimeSpan.FromMilliseconds(200), out _).Should().BeFalse("the output is held");
        Action stop = road switch
        {
            Road.Stop => () => child.Stop(),
            Road.Kill => child.Kill,
            _ => child.Dispose,
        };
        stop();
        ProcessResult result = child.Wait();
        (result.Outcome, result.ExitCode, result.StoppedBy).Should().Be((ProcessOutcome.Exited, 7, StopCause.None));
        trace.Live().Should().BeEmpty("a stop goes on until the descendants are gone");
    });

    private static void IsReady(string file) => Eventually.Is(() => File.Exists(file), "the child is ready");

    private static ProcessResult Take(Road road, ProcessCommand command, string ready)
    {
        using ProcessEngine engine = new();
        if (road is Road.Stop or Road.Kill or Road.Dispose or Road.EngineDispose)
        {
            using ChildProcess child = command.Start(engine);
            IsReady(ready);
            Action end = road switch
            {
                Road.Stop => () => child.Stop(),
                Road.Kill => child.Kill,
                Road.Dispose => child.Dispose,
                _ => engine.Dispose,
            };
            end();
            return child.Wait();
        }

        if (road == Road.Token)
        {
            using CancellationTokenSource source = new();
            return Canceled(command.RunAsync(engine, source.Token), source, ready);
        }

        using ProcessExecutor executor = new("road", command, engine);
        executor.Run();
        IsReady(ready);
        switch (road)
        {
            case Road.WaitLimit:
                executor.Wait(TimeSpan.Zero).Should().BeFalse();
                break;

            case Road.WaitAllLimit:
                ProcessExecutor.WaitAll([executor], TimeSpan.Zero).Should().BeFalse();
                break;

            case Road.RequestStop:
                executor.RequestStop();
                break;

            default:
                executor.Dispose();
                break;
        }

        return executor.Wait();
    }

    private static ProcessResult Canceled(Task<ProcessResult> run, CancellationTokenSource source, string ready)
    {
        IsReady(ready);
        source.Cancel();
        Action wait = () => run.GetAwaiter().GetResult();
        return ProcessResult.Of(wait.Should().Throw<OperationCanceledException>().Which)!;
    }
}
