using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies the portable backend beside the native one, in the same process.</summary>
[Collection(Alone.Name)]
public sealed class PortableBackendTests : IDisposable
{
    private readonly ProcessEngine _engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });

    public void Dispose() => _engine.Dispose();

    [Fact]
    public void Backend_IsTheOneThatWasChosen()
    {
        _engine.Backend.Should().Be(EngineBackend.Portable);
        using ProcessEngine native = new(new ProcessEngineOptions { Backend = EngineBackend.Native });
        native.Backend.Should().Be(EngineBackend.Native);
        FluentActions.Invoking(() => new ProcessEngineOptions { Backend = (EngineBackend)7 })
            .Should().Throw<ArgumentOutOfRangeException>();
    }

    [Fact]
    public void Run_GivesCodeAndOutput() => Guard.Run(() =>
    {
        ProcessResult result = Run(TestPrograms.Quick("echo", "out", "err", "err", "return", "3"));
        (result.Outcome, result.ExitCode).Should().Be((ProcessOutcome.Exited, 3));
        (result.StandardOutput.Text, result.StandardError.Text).Should().Be(("out\n", "err\n"));
        result.StandardOutput.IsHeldOpen.Should().BeFalse();
    });

    // Far more than a pipe holds, through both of its directions at once.
    [Fact]
    public void Run_WithLargeInputAndOutput_IsRightToTheByte() => Guard.Run(() =>
    {
        byte[] bytes = new byte[20_000_000];
        new Random(1).NextBytes(bytes);
        ProcessResult result = Run(TestPrograms.Quick("stdin") with { StandardInput = InputSource.FromBytes(bytes) });
        BuffersExtensions.ToArray(result.StandardOutput.Bytes).AsSpan().SequenceEqual(bytes).Should().BeTrue();
    });

    [Fact]
    public void Run_OfChildThatReadsNothing_AbandonsTheInput() => Guard.Run(() =>
        Run(TestPrograms.Quick() with { StandardInput = InputSource.FromBytes(new byte[10_000_000]) })
            .IsSuccess.Should().BeTrue());

    [Fact]
    public void Files_AreReadAndWritten() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.At("file");
        Run(TestPrograms.Quick("echo", "1", "err", "2") with
        {
            StandardOutput = OutputTarget.ToFile(path),
            StandardError = OutputTarget.Null,
        }).IsSuccess.Should().BeTrue();
        Run(TestPrograms.Quick("echo", "3") with { StandardOutput = OutputTarget.ToFile(path, append: true) });
        Run(TestPrograms.Quick("stdin") with { StandardInput = InputSource.FromFile(path) })
            .StandardOutput.Text.Should().Be("1\n3\n");
    });

    // As with a descriptor that was opened for appending, no write overwrites another.
    [Fact]
    public void File_ThatManyAppendTo_HasEveryLine() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.At("log");
        Parallel.For(0, 40, new ParallelOptions { MaxDegreeOfParallelism = 16 }, i => Run(
            TestPrograms.Quick(Enumerable.Repeat<string[]>(["echo", $"{i}"], 50).SelectMany(words => words)) with
            {
                StandardOutput = OutputTarget.ToFile(path, append: true),
            }));
        File.ReadAllLines(path).GroupBy(line => line).Select(lines => lines.Count())
            .Should().Equal(Enumerable.Repeat(50, 40));
    });

    [Fact]
    public void File_ThatCannotBeOpened_FailsTheStart() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = TestPrograms.Quick("stdin") with
        {
            StandardInput = InputSource.FromFile(directory.At("missing")),
        };
        FluentActions.Invoking(() => Run(command)).Should().Throw<ProcessStartException>()
            .Which.Step.Should().Be(ProcessStartStep.BadStreamFile);
    });

    [Theory]
    [InlineData("no-such-program", null, ProcessStartStep.NotFound)]
    [InlineData("/no/such/program", null, ProcessStartStep.NotFound)]
    [InlineData("/etc", null, ProcessStartStep.NotExecutable)]
    [InlineData("/etc/passwd", null, ProcessStartStep.NotExecutable)]
    [InlineData("true", "/no/such/directory", ProcessStartStep.BadDirectory)]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Start_ThatFails_TellsTheStep(string program, string? directory, ProcessStartStep step) =>
        Guard.Run(() => FluentActions
            .Invoking(() => Run(new ProcessCommand(program) with { WorkingDirectory = directory }))
            .Should().Throw<ProcessStartException>().Which.Step.Should().Be(step));

    [Fact]
    public void Pipeline_IsPumped() => Guard.Run(() =>
        TestPrograms.Quick("repeat", "text", "1200000").PipeTo(TestPrograms.Quick("stdin"))
            .PipeTo(TestPrograms.Quick("stdin-length"))
            .Run(_engine).StandardOutput.Text.Should().Be("1200000\n"));

    // The first stage writes for ever, until its pipe is closed.
    [Fact]
    public void Pipeline_WhoseReaderEndsFirst_EndsItsWriter() => Guard.Run(() =>
        (TestPrograms.Quick("yes").PipeTo(TestPrograms.Quick("stdin-read", "4", "echo", "read")) with
        {
            PipeFail = false,
        })
            .Run(_engine).StandardOutput.Text.Should().Be("read\n"));

    [Fact]
    public void Pipeline_WhoseLastStageCannotStart_EndsTheOthers() => Guard.Run(() =>
    {
        FluentActions.Invoking(() => TestPrograms.Quick("yes").PipeTo(new ProcessCommand("no-such")).Run(_engine))
            .Should().Throw<ProcessStartException>();
        _engine.LiveChildren.Should().Be(0);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Environment_IsThatOfTheCommand() => Guard.Run(() =>
    {
        ProcessCommand command = new ProcessCommand("env") with
        {
            InheritEnvironment = false,
            Environment = new Dictionary<string, string?> { ["A"] = "1", ["B"] = "ü" },
        };
        Run(command).StandardOutput.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Order()
            .Should().Equal("A=1", "B=ü");
    });

    [Theory]
    [InlineData("exec sleep 1000", 15)]
    [InlineData("trap '' TERM; echo ready; while :; do sleep 1; done", 9)]
    [OnlyOn(Systems.Unix, "signals")]
    public void Timeout_AsksThenKills(string script, int signal) => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessResult result = Run(TestPrograms.Shell(script) with
        {
            Timeout = limit,
            StopGrace = TimeSpan.FromMilliseconds(200),
        });
        (result.Outcome, result.SignalNumber).Should().Be((ProcessOutcome.TimedOut, signal));
    }));

    // .NET reports the death by a signal as such a code, and a stop tells the two apart.
    [Theory]
    [InlineData(137)]
    [InlineData(143)]
    public void ExitCode_OfAProgram_IsNoSignal(int code) => Guard.Run(() =>
    {
        ProcessResult result = Run(TestPrograms.Quick("return", $"{code}"));
        (result.Outcome, result.ExitCode, result.SignalNumber).Should().Be((ProcessOutcome.Exited, code, null));
    });

    // A suspended child handles a signal once it continues.
    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Stop_OfASuspendedChild_IsHeard() => Guard.Run(() =>
    {
        using ChildProcess child = TestPrograms.Quick("sleep", "1000000").Start(_engine);
        TestPrograms.Shell("kill -STOP \"$1\"", $"{child.ProcessId}").Run().EnsureSuccess();
        child.Stop(TimeSpan.FromSeconds(30)).SignalNumber.Should().Be(15);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Kill_ReachesTheDescendants() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.At("ready");
        using ChildProcess child = TestPrograms.Shell(
            "sleep 1000 & echo $! >\"$1.new\"; mv \"$1.new\" \"$1\"; wait", ready).Start(_engine);
        Eventually.Is(() => File.Exists(ready), "the descendant runs");
        int descendant = int.Parse(
            File.ReadAllText(ready), System.Globalization.CultureInfo.InvariantCulture);
        child.Kill();
        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        Eventually.Is(() => !ProcFs.IsAlive(descendant), "the descendant is gone");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void OutputHeldByAnother_EndsTheRunAfterTheGrace() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        ProcessResult result = Run(TestPrograms.Shell("(read x <\"$1\") & echo out", go) with
        {
            DrainGrace = TimeSpan.Zero,
            Descendants = DescendantPolicy.Leave,
        });
        (result.StandardOutput.Text, result.StandardOutput.IsHeldOpen).Should().Be(("out\n", true));
        File.WriteAllText(go, "go\n");
    });

    // The descendant writes more before each silence that would show that it alone is left.
    [Theory]
    [InlineData("while :; do echo more; sleep 0.01; done")]
    [InlineData("exec yes")]
    [OnlyOn(Systems.Unix, "signals")]
    public void OutputThatAnotherGoesOnToWrite_EndsTheRunNevertheless(string script) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string id = directory.At("id");
        ProcessResult result = Run(
            TestPrograms.Shell("sh -c \"$1\" & echo $! >\"$2\"; exit 7", script, id) with
            {
                DrainGrace = TimeSpan.Zero,
                Descendants = DescendantPolicy.Leave,
            });
        (result.Outcome, result.ExitCode, result.StandardOutput.IsHeldOpen)
            .Should().Be((ProcessOutcome.Exited, 7, true));
        TestPrograms.Shell("kill -9 \"$1\"", File.ReadAllText(id).Trim()).Run();
    });

    // The limit of the first stage passes while the second one has its bytes and does not read: the connection is cut
    // off with a write under way, and the second stage sees the end.
    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Pipeline_WhoseWriterIsLimitedBeforeItsReader_EndsWell() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        ProcessCommand writer = TestPrograms.Quick("yes") with { Timeout = limit };
        Task<PipelineResult> run =
            writer.PipeTo(TestPrograms.Shell("read x <\"$1\"; exec wc -c", go)).RunAsync(_engine);
        Eventually.Is(() => _engine.LiveChildren == 1, "the first stage is given up");
        File.WriteAllText(go, "go\n");
        PipelineResult result = run.GetAwaiter().GetResult();
        result.Stages[0].Outcome.Should().Be(ProcessOutcome.TimedOut);
        (result.Stages[1].ExitCode, result.Stages[1].StandardOutput.Text.Trim() == "0").Should().Be((0, false));
    }));

    // A receiver that is slower than the child holds the child up, and gets everything in the end.
    [Fact]
    public void SlowReceiver_GetsEveryLine() => Guard.Run(() =>
    {
        int count = 0;
        using ManualResetEventSlim mayRead = new();
        using ChildProcess child = (TestPrograms.Quick("seq", "1", "300000") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                mayRead.Wait();
                count++;
            }),
        }).Start(_engine);
        child.WaitAsync().IsCompleted.Should().BeFalse();
        mayRead.Set();
        child.Wait().IsSuccess.Should().BeTrue();
        count.Should().Be(300_000);
    });

    [Fact]
    public void Dialogue_ByLiveLines_Works() => Guard.Run(() =>
    {
        using ChildProcess child = (TestPrograms.Quick("stdin") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        }).Start(_engine);
        using IEnumerator<OutputLine> lines = child.ReadLines().GetEnumerator();
        for (int i = 0; i < 100; i++)
        {
            child.StandardInput!.Write(System.Text.Encoding.UTF8.GetBytes($"line {i}\n"));
            lines.MoveNext().Should().BeTrue();
            lines.Current.Content.ToString().Should().Be($"line {i}");
        }

        child.StandardInput!.Close();
        lines.MoveNext().Should().BeFalse();
        child.Wait().IsSuccess.Should().BeTrue();
    });

    [Theory]
    [InlineData(ProcessGroupMode.Own, DescendantPolicy.KillOnStop)]
    [InlineData(ProcessGroupMode.Session, DescendantPolicy.KillOnStop)]
    [InlineData(ProcessGroupMode.Auto, DescendantPolicy.KillAlways)]
    [InlineData(ProcessGroupMode.Auto, DescendantPolicy.Report)]
    public void SettingThatIsImpossible_IsRefusedBeforeTheStart(ProcessGroupMode group, DescendantPolicy descendants)
    {
        ProcessCommand command = TestPrograms.Quick() with { GroupMode = group, Descendants = descendants };
        FluentActions.Invoking(() => Run(command)).Should().Throw<PlatformNotSupportedException>();
        FluentActions.Awaiting(() => command.RunAsync(_engine)).Should().ThrowAsync<PlatformNotSupportedException>();
        _engine.StartedChildren.Should().Be(0);
    }

    [Fact]
    public void Batch_RunsEverything() => Guard.Run(() =>
        ProcessBatch.Enumerate(
                Enumerable.Range(0, 300).Select(i => TestPrograms.Quick("echo", $"{i}")),
                new BatchOptions { Engine = _engine, MaxConcurrency = 16 })
            .Select(result => int.Parse(
                result.Result!.StandardOutput.Text, System.Globalization.CultureInfo.InvariantCulture))
            .Order().Should().Equal(Enumerable.Range(0, 300)));

    [Fact]
    public void Runs_AtOnce_LeaveNothingBehind() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        Parallel.For(0, Crowd.Of(500), new ParallelOptions { MaxDegreeOfParallelism = 32 }, i =>
        {
            ProcessResult result = TestPrograms.Quick("zeros", "200000", "return", $"{i % 100}").Run(engine);
            (result.ExitCode, result.StandardOutput.TotalBytes).Should().Be((i % 100, 200_000L));
        });
        engine.LiveChildren.Should().Be(0);
    });

    private ProcessResult Run(ProcessCommand command) => command.Run(_engine);
}
