using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Simulated;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Engines;

/// <summary>Verifies the code that plays a simulated child: its context, its text, and its end.</summary>
public sealed class SimulatedCodeTests
{
    private static readonly ProcessCommand s_command = new("no-such-program-anywhere", "x");

    [Fact]
    public void Code_SeesTheContextOfTheCaller() => Guard.Run(() =>
    {
        AsyncLocal<string> caller = new() { Value = "caller" };
        using ProcessEngine engine =
            Engine(new SimulatedRun().Do(program => program.StandardOutput.Write(caller.Value)));
        s_command.Run(engine).StandardOutput.Text.Should().Be("caller");
        ProcessBatch.Enumerate([s_command], new BatchOptions { Engine = engine }).Single()
            .Result!.StandardOutput.Text.Should().Be("caller");
    });

    // A delivery thread opens the file of an asynchronous start, and asks for the answer.
    [Fact]
    public void Answer_SeesTheContextOfTheCaller_AlsoIfTheStartOpensAFile() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        AsyncLocal<string> caller = new() { Value = "caller" };
        using ProcessEngine engine = ProcessEngine.Simulate(_ => new SimulatedRun($"{caller.Value} ")
            .Do(program => program.StandardOutput.Write(caller.Value)));
        string path = directory.At("output");
        ProcessCommand command = s_command with { StandardOutput = OutputTarget.ToFile(path) };
        command.Run(engine);
        File.ReadAllText(path).Should().Be("caller caller");
        command.RunAsync(engine).GetAwaiter().GetResult();
        File.ReadAllText(path).Should().Be("caller caller");
        s_command.PipeTo(command).RunAsync(engine).GetAwaiter().GetResult();
        File.ReadAllText(path).Should().Be("caller caller");
    });

    [Fact]
    public void Answer_ThatDisposesItsEngine_IsRefused() => Guard.Run(() =>
    {
        ProcessEngine? own = null;
        using ProcessEngine other = new();
        int answers = 0;
        using ProcessEngine engine = ProcessEngine.Simulate(command =>
        {
            answers++;
            if (command.Arguments is [.., "inner"])
            {
                other.Dispose();
            }
            else
            {
                s_command.WithArguments("inner").Run(own!);
                own!.Dispose();
            }

            return new SimulatedRun();
        });
        own = engine;
        FluentActions.Invoking(() => s_command.Run(engine))
            .Should().Throw<InvalidOperationException>().WithMessage("*cannot dispose*after the run*");
        BatchResult result = ProcessBatch.Enumerate([s_command], new BatchOptions { Engine = engine }).Single();
        result.Exception.Should().BeOfType<InvalidOperationException>();
        answers.Should().Be(4);
        engine.LiveChildren.Should().Be(0);
    });

    [Theory]
    [InlineData(ProcessStartStep.Busy)]
    [InlineData(ProcessStartStep.OutOfDescriptors)]
    public void Answer_OfACommandInABatch_IsKeptOverStartsThatFail(ProcessStartStep step) => Guard.Run(() =>
    {
        int answers = 0;
        using ProcessEngine engine = ProcessEngine.Simulate(_ =>
        {
            answers++;
            return SimulatedRun.FailStart(step, attempts: 2).Write("ran").Exit(3);
        });
        BatchOptions options = new() { Engine = engine, Retry = new BatchRetry { Count = 1 } };
        ProcessResult result = ProcessBatch.Enumerate([s_command], options).Single().Result!;
        result.StandardOutput.Text.Should().Be("ran");
        result.StartAttempts.Should().Be(3);
        answers.Should().Be(2, "a retry is another run");
    });

    // A batch makes the plan of a start itself.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Answer_GetsACommandWhoseTextsHideTheSecretsOfTheEngine(bool isBatch) => Guard.Run(() =>
    {
        string text = "";
        using ProcessEngine engine = ProcessEngine.Simulate(
            command =>
            {
                text = command.ToString();
                return new SimulatedRun();
            },
            new ProcessEngineOptions { Secrets = ["hush-hush"] });
        ProcessCommand command = new("program", "hush-hush");
        if (isBatch)
        {
            ProcessBatch.Enumerate([command], new BatchOptions { Engine = engine }).Single().EnsureSuccess();
        }
        else
        {
            command.Run(engine).EnsureSuccess();
        }

        text.Should().StartWith("program ").And.NotContain("hush");
    });

    [Fact]
    public void Step_ThatIsAsynchronous_IsAwaited() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun()
            .Do(async program =>
            {
                await Task.Delay(20);
                program.StandardOutput.Write("x");
            })
            .Write("y"));
        s_command.Run(engine).StandardOutput.Text.Should().Be("xy");
        using ProcessEngine failing = Engine(new SimulatedRun().Do(async _ =>
        {
            await Task.Delay(20);
            throw new FormatException("async");
        }));
        ProcessResult result = s_command.Run(failing);
        result.SignalNumber.Should().Be(6);
        result.StandardError.Text.Should().Contain("FormatException: async");
    });

    [Theory]
    [InlineData(false, "äöü", "ÄÖÜ")]
    [InlineData(true, "äöüÄÖÜ", "")]
    public void Text_HasTheEncodingOfEachStream(bool isMerged, string output, string error) => Guard.Run(() =>
    {
        ProcessCommand command = s_command with
        {
            StandardInput = InputSource.FromText("é€"),
            StandardError = isMerged ? OutputTarget.MergeIntoOutput : OutputTarget.Capture(),
            StandardInputEncoding = Encoding.BigEndianUnicode,
            StandardOutputEncoding = Encoding.Unicode,
            StandardErrorEncoding = Encoding.Latin1,
        };
        string input = "";
        using ProcessEngine engine = Engine(new SimulatedRun("äöü")
            .WriteError("ÄÖÜ")
            .Do(program => input = program.StandardInput.ReadToEnd()));
        ProcessResult result = command.Run(engine);
        result.StandardOutput.Text.Should().Be(output);
        result.StandardError.Text.Should().Be(error);
        input.Should().Be("é€");
    });

    [Fact]
    public void Code_BehindTheExit_IsNotRun() => Guard.Run(() =>
    {
        Thread? thread = null;
        bool isReached = false;
        using ProcessEngine engine =
            Engine(new SimulatedRun().Do(_ => thread = Thread.CurrentThread).Exit(3).Do(_ => isReached = true));
        s_command.Run(engine).ExitCode.Should().Be(3);
        thread!.Join();
        isReached.Should().BeFalse();
    });

    [Fact]
    public void Pause_OfAChildThatIsKilled_EndsWithIt() => Guard.Run(() =>
    {
        Thread? thread = null;
        using ManualResetEventSlim runs = new();
        using ProcessEngine engine = Engine(new SimulatedRun()
            .Do(_ =>
            {
                thread = Thread.CurrentThread;
                runs.Set();
            })
            .Pause(Timeout.InfiniteTimeSpan));
        using ChildProcess child = s_command.Start(engine);
        runs.Wait();
        Eventually.Is(() => (thread!.ThreadState & ThreadState.WaitSleepJoin) != 0, "the code pauses");
        child.Kill();
        thread!.Join();
    });

    // The writer is in the middle of a write that does not fit into the pipe.
    [Fact]
    public void Input_OfAChildThatEndsWithoutReading_HoldsUpNoThread() => Guard.Run(() =>
    {
        using SimulatedProcess process = new(s_command with { StandardInput = InputSource.Pipe }, new NoSimulation());
        Exception? thrown = null;
        Thread writer = new(() => thrown = Record.Exception(() => process.Input!.Write(new byte[1_000_000])));
        writer.Start();
        Eventually.Is(() => (writer.ThreadState & ThreadState.WaitSleepJoin) != 0, "the pipe is full");
        process.Kill();
        writer.Join();
        thrown.Should().BeAssignableTo<IOException>();
    });

    // Its text is asked for on a thread of the engine, where an exception would end this program.
    [Fact]
    public void Exception_ThatCannotTellItsText_CrashesItsChildAlone() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(new SimulatedRun().Do(_ => throw new SilentException()));
        s_command.Run(engine).SignalNumber.Should().Be(6);
    });

    private static ProcessEngine Engine(SimulatedRun run) => ProcessEngine.Simulate(_ => run);

    private sealed class SilentException : Exception
    {
        public override string ToString() => throw new InvalidOperationException("It has no text.");
    }

    private sealed class NoSimulation : ISimulation
    {
        public bool HandlesSignals => false;

        public void Start()
        {
        }

        public int Play(SimulatedProcess process) => 0;

        public ExitStatus? OnSignal(PosixSignal signal) => null;
    }
}
