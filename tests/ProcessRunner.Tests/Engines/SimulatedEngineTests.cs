using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Engines;

/// <summary>Verifies that an engine without children behaves as one with children does.</summary>
public sealed class SimulatedEngineTests
{
    private static readonly TimeSpan s_short = TimeSpan.FromMilliseconds(20);

    private static readonly TimeSpan s_long = TimeSpan.FromMinutes(1);

    private static readonly ProcessCommand s_command = new("no-such-program-anywhere", "x");

    [Fact]
    public void Run_GivesOutputErrorsAndExitCode() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun("one\n").WriteError("two\n").Write("three"u8).Exit(3));
        ProcessResult result = s_command.Run(engine);
        result.StandardOutput.Text.Should().Be("one\nthree");
        result.StandardError.Text.Should().Be("two\n");
        result.ExitCode.Should().Be(3);
        result.ProcessId.Should().BePositive();
        result.Command.Should().BeSameAs(s_command);
        engine.Backend.Should().Be(EngineBackend.Simulated);
        engine.StartedChildren.Should().Be(1);
        engine.LiveChildren.Should().Be(0);
    });

    [Fact]
    public void Program_KnowsThatItHasBeenStopped() => Guard.Run(() =>
    {
        using ManualResetEventSlim begun = new();
        using ManualResetEventSlim stopped = new();
        using ProcessEngine engine = Engine(new SimulatedRun().Do(program =>
        {
            program.IsRunning.Should().BeTrue();
            begun.Set();
            program.StandardInput.ReadToEnd();
            program.IsRunning.Should().BeFalse();
            stopped.Set();
        }));
        using ChildProcess child = (s_command with { StandardInput = InputSource.Pipe }).Start(engine);
        begun.Wait();
        child.Kill();
        stopped.Wait();
        child.Wait().StoppedBy.Should().Be(StopCause.Request);
    });

    [Fact]
    public void Answer_SeesTheCommand() => Guard.Run(() =>
    {
        using ProcessEngine engine = ProcessEngine.Simulate(command => new SimulatedRun($"{command}"));
        s_command.Run(engine).StandardOutput.Text.Should().Be($"{s_command}");
        s_command.RunAsync(engine).GetAwaiter().GetResult().StandardOutput.Text.Should().Be($"{s_command}");
    });

    [Fact]
    public void Settings_OfTheStart_AreForTheAnswerToSee() => Guard.Run(() =>
    {
        ProcessCommand command = (s_command with
        {
            Arguments = [ProcessCommand.TextOf([0xFF])],
            ArgumentZero = "zero",
            Nice = 5,
            Priority = ProcessPriorityClass.Idle,
            Processors = [0],
            FileModeMask = UnixFileMode.OtherWrite,
            Identity = ProcessIdentity.OfUser("nobody"),
            ProcessGroupId = 1,
            KillOnParentExit = true,
            CloseWindowsOnStop = true,
        }).WithLimit(LimitedResource.OpenFiles, 100).WithLimit(LimitedResource.AddressSpace, 1 << 30);
        ProcessCommand? seen = null;
        using ProcessEngine engine = ProcessEngine.Simulate(given =>
        {
            seen = given;
            return new SimulatedRun("ran");
        });
        command.Run(engine).EnsureSuccess().StandardOutput.Text.Should().Be("ran");
        seen.Should().BeSameAs(command);
    });

    [Fact]
    public void Channel_OfASimulatedChild_IsRefused() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun());
        new Action(() => s_command.WithChannel(3, OutputTarget.Capture()).Run(engine))
            .Should().Throw<PlatformNotSupportedException>().WithMessage("This backend *");
    });

    [Fact]
    public void Answer_ThatThrows_FailsTheStart() => Guard.Run(() =>
    {
        InvalidTimeZoneException thrown = new("on purpose");
        using ProcessEngine engine = ProcessEngine.Simulate(_ => throw thrown);
        new Action(() => s_command.Run(engine)).Should().Throw<InvalidTimeZoneException>().Which.Should().Be(thrown);
        using ProcessEngine none = ProcessEngine.Simulate(_ => null!);
        new Action(() => s_command.Run(none)).Should().Throw<InvalidOperationException>();
        none.LiveChildren.Should().Be(0);
    });

    [Fact]
    public void Death_BySignal_IsTold() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun("a").Die((PosixSignal)9).Write("never"));
        ProcessResult result = s_command.Run(engine);
        result.Outcome.Should().Be(ProcessOutcome.Signaled);
        result.SignalNumber.Should().Be(9);
        result.StandardOutput.Text.Should().Be("a");
    });

    [Theory]
    [InlineData(ProcessStartStep.NotFound)]
    [InlineData(ProcessStartStep.BadFormat)]
    [InlineData(ProcessStartStep.BadDirectory)]
    public void Start_ThatFails_ThrowsItsStep(ProcessStartStep step) => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(SimulatedRun.FailStart(step, "on purpose"));
        ProcessStartException failure =
            new Action(() => s_command.Run(engine)).Should().Throw<ProcessStartException>().Which;
        failure.Step.Should().Be(step);
        failure.Message.Should().Contain("on purpose").And.Contain(s_command.FileName);
        ProcessBatch.Enumerate([s_command], new BatchOptions { Engine = engine }).Single().Exception
            .Should().BeOfType<ProcessStartException>();
    });

    [Fact]
    public void Start_ThatFailsForAMoment_IsRepeated() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(SimulatedRun.FailStart(ProcessStartStep.Busy, attempts: 2).Write("ran"));
        ProcessResult result = s_command.Run(engine);
        result.StartAttempts.Should().Be(3);
        result.StandardOutput.Text.Should().Be("ran");
    });

    [Fact]
    public void Output_LargerThanAPipe_ArrivesWhole() => Guard.Run(() =>
    {
        byte[] bytes = new byte[1_000_000];
        new Random(1).NextBytes(bytes);
        using ProcessEngine engine = Engine(new SimulatedRun().Write(bytes).WriteError(new string('e', 300_000)));
        ProcessResult result = s_command.Run(engine);
        result.StandardOutput.Bytes.ToArray().AsSpan().SequenceEqual(bytes).Should().BeTrue();
        result.StandardError.TotalBytes.Should().Be(300_000);
    });

    [Fact]
    public void MergedError_KeepsTheOrder() => Guard.Run(() =>
    {
        SimulatedRun run = new();
        for (int i = 0; i < 50; i++)
        {
            run = run.Write($"o{i} ").WriteError($"e{i} ");
        }

        using ProcessEngine engine = Engine(run);
        ProcessResult result = (s_command with { StandardError = OutputTarget.MergeIntoOutput }).Run(engine);
        result.StandardOutput.Text.Should()
            .Be(string.Concat(Enumerable.Range(0, 50).Select(i => $"o{i} e{i} ")));
    });

    [Fact]
    public void Input_ReachesTheChild() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun().CopyInput());
        string text = new('i', 200_000);
        (s_command with { StandardInput = InputSource.FromText(text) }).Run(engine).StandardOutput.Text
            .Should().Be(text);
        (s_command with { StandardInput = InputSource.Null }).Run(engine).StandardOutput.TotalBytes.Should().Be(0);
    });

    [Fact]
    public void Dialogue_ByHand_Works() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun().Do(program =>
        {
            program.StandardOutput.WriteLine("name?");
            program.StandardOutput.WriteLine($"hello {program.StandardInput.ReadLine()}");
        }));
        using ChildProcess child = (s_command with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        }).Start(engine);
        child.WaitForLine(line => line.Content == "name?", TimeSpan.FromSeconds(30));
        child.StandardInput.Write("Ann\n"u8);
        child.StandardInput.Flush();
        child.WaitForLine(line => line.Content == "hello Ann", TimeSpan.FromSeconds(30));
        child.Wait().IsSuccess.Should().BeTrue();
    });

    [Fact]
    public void Callback_GetsLinesAndFilesGetBytes() => Guard.Run(() =>
    {
        string path = Path.GetTempFileName();
        List<string> lines = [];
        using ProcessEngine engine = Engine(new SimulatedRun("a\nb\n").WriteError("c\n"));
        (s_command with
        {
            StandardOutput = OutputTarget.ToLines(line => lines.Add(line.Content)),
            StandardError = OutputTarget.ToFile(path),
        }).Run(engine);
        lines.Should().Equal("a", "b");
        File.ReadAllText(path).Should().Be("c\n");
        File.Delete(path);
    });

    [Fact]
    public void Timeouts_StopTheChild() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun("kept").Pause(Timeout.InfiniteTimeSpan));
        (s_command with { Timeout = s_short }).Run(engine).Outcome.Should().Be(ProcessOutcome.TimedOut);
        (s_command with { IdleTimeout = s_short }).Run(engine).Outcome.Should().Be(ProcessOutcome.IdleTimedOut);
    });

    [Fact]
    public void Stop_IsHandledOrIgnoredAsTheRunSays() => Guard.Run(() =>
    {
        SimulatedRun hanging = new SimulatedRun().Pause(Timeout.InfiniteTimeSpan);
        Stopped(hanging).Signal.Should().Be(PosixSignal.SIGTERM);
        Stopped(hanging.OnSignal(_ => 7)).ExitCode.Should().Be(7);
        Stopped(hanging.OnSignal(_ => null), s_short).SignalNumber.Should().Be(9);
    });

    [Fact]
    public void CtrlC_ThatIsForwarded_IsASignal() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun().Pause(Timeout.InfiniteTimeSpan)
            .OnSignal(signal => signal == PosixSignal.SIGINT ? 7 : 8));
        using ChildProcess child = s_command.Start(engine);
        lock (Internals.ChildOf(child).Gate)
        {
            Internals.ChildOf(child).Interrupt();
        }

        child.Wait().ExitCode.Should().Be(7);
    });

    [Fact]
    public void CloseOfWindows_IsTheStopSignal() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun().Pause(Timeout.InfiniteTimeSpan)
            .OnSignal(signal => signal == PosixSignal.SIGINT ? 7 : 8));
        ProcessCommand command = s_command with { StopSignal = PosixSignal.SIGINT, CloseWindowsOnStop = true };
        using ChildProcess child = command.Start(engine);
        child.Stop(s_long).ExitCode.Should().Be(7);
    });

    [Fact]
    public void SignalHandler_ThatThrows_AbortsTheChildAlone() => Guard.Run(() =>
    {
        ProcessResult result = Stopped(new SimulatedRun().Pause(Timeout.InfiniteTimeSpan)
            .OnSignal(_ => throw new InvalidTimeZoneException("on purpose")));
        result.SignalNumber.Should().Be(6);
        result.StandardError.Text.Should().Contain("on purpose");
    });

    [Fact]
    public void SignalHandler_ThatBlocks_HoldsUpItsChildAlone() => Guard.Run(() =>
    {
        using ManualResetEventSlim release = new();
        SimulatedRun blocking = new SimulatedRun().Pause(Timeout.InfiniteTimeSpan).OnSignal(_ =>
        {
            release.Wait();
            return 7;
        });
        SimulatedRun hanging = new SimulatedRun().Pause(Timeout.InfiniteTimeSpan);
        using ProcessEngine engine =
            ProcessEngine.Simulate(command => command.Arguments[0] == "blocks" ? blocking : hanging);
        using ChildProcess child = new ProcessCommand("x", "blocks") { StopGrace = s_long }.Start(engine);
        child.RequestStop();
        (s_command with { Timeout = s_short }).Run(engine).Outcome.Should().Be(ProcessOutcome.TimedOut);
        child.IsRunning.Should().BeTrue();
        release.Set();
        child.Wait().ExitCode.Should().Be(7);
    });

    [Fact]
    public void Cancellation_StopsTheChild() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun("kept").Pause(Timeout.InfiniteTimeSpan));
        using CancellationTokenSource source = new();
        Task<ProcessResult> run = s_command.RunAsync(engine, source.Token);
        source.Cancel();
        Exception thrown = new Action(() => run.GetAwaiter().GetResult()).Should()
            .Throw<OperationCanceledException>().Which;
        ProcessResult.Of(thrown)!.Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void Executor_RunsAgainAndAgain() => Guard.Run(() =>
    {
        int runs = 0;
        using ProcessEngine engine =
            ProcessEngine.Simulate(_ => new SimulatedRun($"{Interlocked.Increment(ref runs)}"));
        using ProcessExecutor executor = new("name", s_command, engine);
        for (int i = 1; i <= 3; i++)
        {
            executor.Run();
            executor.Wait().StandardOutput.Text.Should().Be($"{i}");
        }
    });

    [Fact]
    public void Batch_OfHundreds_GetsEachItsAnswer() => Guard.Run(() =>
    {
        using ProcessEngine engine = ProcessEngine.Simulate(
            command => new SimulatedRun(command.Arguments[0], int.Parse(command.Arguments[0]) % 3));
        IEnumerable<ProcessCommand> commands =
            Enumerable.Range(0, 300).Select(number => new ProcessCommand("x", $"{number}"));
        BatchResult[] results =
            [.. ProcessBatch.Enumerate(commands, new BatchOptions { Engine = engine, MaxConcurrency = 8 })];
        results.Should().HaveCount(300);
        results.Should().OnlyContain(result => result.Result!.StandardOutput.Text == result.Command.Arguments[0]
            && result.Result.ExitCode == result.Index % 3);
    });

    [Fact]
    public void Batch_RepeatsWhatFails() => Guard.Run(() =>
    {
        int runs = 0;
        using ProcessEngine engine =
            ProcessEngine.Simulate(_ => new SimulatedRun(exitCode: Interlocked.Increment(ref runs) < 3 ? 1 : 0));
        BatchOptions options = new() { Engine = engine, Retry = new BatchRetry { Count = 4 } };
        BatchResult result = ProcessBatch.Enumerate([s_command], options).Single();
        result.IsFlaky.Should().BeTrue();
        result.EarlierAttempts.Should().HaveCount(2);
    });

    [Fact]
    public void Pipeline_ConnectsTheChildren() => Guard.Run(() =>
    {
        using ProcessEngine engine = ProcessEngine.Simulate(command => command.FileName == "source"
            ? new SimulatedRun(new string('x', 200_000))
            : new SimulatedRun().CopyInput());
        PipelineResult result =
            (new ProcessCommand("source") | new ProcessCommand("cat") | new ProcessCommand("cat")).Run(engine);
        result.IsSuccess.Should().BeTrue();
        result.StandardOutput.TotalBytes.Should().Be(200_000);
    });

    [Fact]
    public void Code_ThatThrows_CrashesItsChild() => Guard.Run(() =>
    {
        using ProcessEngine engine =
            Engine(new SimulatedRun().Do(_ => throw new InvalidTimeZoneException("on purpose")));
        ProcessResult result = s_command.Run(engine);
        result.SignalNumber.Should().Be(6);
        result.StandardError.Text.Should().Contain("on purpose");
    });

    [Fact]
    public void Dispose_EndsChildrenWhateverTheirCodeDoes() => Guard.Run(() =>
    {
        using ManualResetEventSlim goOn = new();
        ProcessEngine engine = Engine(new SimulatedRun().Do(_ => goOn.Wait()));
        using ChildProcess child = s_command.Start(engine);
        engine.Dispose();
        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        goOn.Set();
    });

    private static ProcessEngine Engine(SimulatedRun run) => ProcessEngine.Simulate(_ => run);

    // A limit of the command could pass during the start on a busy machine, which is a kill.
    private static ProcessResult Stopped(SimulatedRun run, TimeSpan? grace = null)
    {
        using ProcessEngine engine = Engine(run);
        using ChildProcess child = s_command.Start(engine);
        return child.Stop(grace ?? s_long);
    }
}
