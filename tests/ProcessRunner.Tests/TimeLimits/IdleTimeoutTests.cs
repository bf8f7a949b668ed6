using System;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Streams;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.TimeLimits;

public sealed class IdleTimeoutTests
{
    private const int Attempts = 5;

    [Theory]
    [InlineData]
    [InlineData("echo", "out")]
    [InlineData("err", "err")]
    public void SilentChild_IsStopped(params string[] before) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick([.. before, "sleep", "1000000"]);
        ProcessResult result = (command with { IdleTimeout = TimeSpan.FromMilliseconds(50) }).Run();
        result.Outcome.Should().Be(ProcessOutcome.IdleTimedOut);
        result.StoppedBy.Should().Be(StopCause.IdleTimeout);
        result.RunTime.Should().BeGreaterThanOrEqualTo(TimeSpan.FromMilliseconds(50));
    });

    [Theory]
    [InlineData("echo")]
    [InlineData("err")]
    public void ChildThatKeepsTalking_IsNot(string word) => Guard.Run(() =>
    {
        string[] line = [word, "line", "sleep", "50"];
        ProcessCommand command =
            TestPrograms.Quick([.. Enumerable.Repeat(line, 10).SelectMany(words => words), "return", "3"]);

        // The limit is so long that a slow machine cannot cause such a pause.
        ProcessResult result = (command with { IdleTimeout = TimeSpan.FromSeconds(30) }).Run();
        result.Outcome.Should().Be(ProcessOutcome.Exited);
        result.ExitCode.Should().Be(3);
    });

    [Fact]
    public void ChildThatTalksToACallback_IsNot() => Guard.Run(() =>
    {
        // The total far exceeds the limit, but no single pause does, unless the machine stands still: then another run
        // tells.
        TimeSpan limit = TimeSpan.FromSeconds(10);
        long bytes = 0;
        ProcessCommand command = TestPrograms.Quick("tick", "9", "1500", "sleep", "1500", "return", "3") with
        {
            IdleTimeout = limit,
            StandardOutput = OutputTarget.ToBytes(chunk => bytes += chunk.Length),
        };
        ProcessResult result = Enumerable.Range(0, Attempts)
            .Select(_ =>
            {
                bytes = 0;
                return command.Run();
            })
            .First(result => result.Outcome != ProcessOutcome.IdleTimedOut);
        result.ExitCode.Should().Be(3);
        result.RunTime.Should().BeGreaterThan(limit);
        bytes.Should().Be(9 * "tick 0\n".Length);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void ChildThatWaitsForItsReader_IsNotIdleHoweverLongThatTakes(bool isCallback) => Guard.Run(() =>
        Enumerable.Range(0, Attempts).Select(_ => OutcomeOfOneThatWaitsForItsReader(isCallback))
            .First(outcome => outcome != ProcessOutcome.IdleTimedOut).Should().Be(ProcessOutcome.Exited));

    // A machine that stands still while all is read makes the child idle indeed.
    private static ProcessOutcome OutcomeOfOneThatWaitsForItsReader(bool isCallback)
    {
        const int Count = 500_000;
        TimeSpan limit = TimeSpan.FromSeconds(4);
        using ManualResetEventSlim isToRead = new();
        int lines = 0;
        ProcessCommand command = TestPrograms.Quick("seq", "1", $"{Count}") with
        {
            IdleTimeout = limit,
            StandardOutput = isCallback
                ? OutputTarget.ToLines(_ =>
                {
                    isToRead.Wait();
                    lines++;
                })
                : OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        StreamingSupport.WrittenOnceBlocked(child.ProcessId);

        // This child serves as the clock: it is silent for the duration of the limit, and begins when the other child
        // already waits.
        (TestPrograms.Quick("sleep", "1000000") with { IdleTimeout = limit }).Run().Outcome
            .Should().Be(ProcessOutcome.IdleTimedOut);
        child.IsRunning.Should().BeTrue();
        isToRead.Set();
        lines += isCallback ? 0 : child.ReadLines().Count();
        ProcessOutcome outcome = child.Wait().Outcome;
        if (outcome == ProcessOutcome.Exited)
        {
            lines.Should().Be(Count);
        }

        return outcome;
    }

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void ChildThatFallsSilentWhileItsReaderIsSlow_IsStoppedOnceItHasRead() =>
        Guard.Run(() => LongerLimits.Until(limit =>
    {
        using TemporaryDirectory directory = new();
        string fifo = directory.Fifo("go");
        using FileStream writer = new(fifo, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);
        using ManualResetEventSlim isInside = new();
        using ManualResetEventSlim isToRead = new();
        long bytes = 0;

        // The output fills the pipe while the callback has the previous bytes.
        ProcessCommand command = TestPrograms.Shell(
            $"printf 1; read go <'{fifo}'; head -c 65536 /dev/zero; exec sleep 1000") with
        {
            IdleTimeout = limit,
            StandardOutput = OutputTarget.ToBytes(chunk =>
            {
                isInside.Set();
                isToRead.Wait();
                bytes += chunk.Length;
            }),
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => isInside.IsSet || !child.IsRunning, "the first byte is there, or the limit passed first");
        writer.Write("go\n"u8);
        Eventually.Is(
            () => ProcFs.Children.Any(one => one.Id == child.ProcessId && one.Name == "sleep") || !child.IsRunning,
            "the child has written all, or the limit passed first");
        isToRead.Set();
        child.Wait().Outcome.Should().Be(ProcessOutcome.IdleTimedOut);
        bytes.Should().Be(65_537);
    }));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ChildThatFallsSilentWhileItsCallbackIsStuck_IsStopped(bool isLines) => Guard.Run(() =>
    {
        using ManualResetEventSlim never = new();
        ProcessCommand command = TestPrograms.Quick("echo", "1", "sleep", "1000000") with
        {
            IdleTimeout = TimeSpan.FromMilliseconds(100),
            StandardOutput = isLines
                ? OutputTarget.ToLines(_ => never.Wait())
                : OutputTarget.ToBytes(_ => never.Wait()),
        };
        using ChildProcess child = command.Start();
        child.Wait().Outcome.Should().Be(ProcessOutcome.IdleTimedOut);
        never.Set();
    });

    private static readonly string s_nullDevice = OperatingSystem.IsWindows() ? "NUL" : "/dev/null";

    public static TheoryData<OutputTarget, OutputTarget> OutOfSight => new()
    {
        { OutputTarget.Null, OutputTarget.Null },
        { OutputTarget.Null, OutputTarget.MergeIntoOutput },
        { OutputTarget.ToFile(s_nullDevice), OutputTarget.MergeIntoOutput },
        { OutputTarget.ToFile(s_nullDevice), OutputTarget.Capture() },
        { OutputTarget.Capture(), OutputTarget.ToFile(s_nullDevice) },
        { OutputTarget.Inherit, OutputTarget.Capture() },
        { OutputTarget.Capture(), OutputTarget.Inherit },
        { OutputTarget.Inherit, OutputTarget.Inherit },
    };

    // A child that writes to such streams all the time would be killed for its silence.
    [Theory]
    [MemberData(nameof(OutOfSight))]
    public void Silence_ThatCannotBeSeen_IsNoLimit(OutputTarget output, OutputTarget error) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("spawn", "yes-err", "end", "yes") with
        {
            IdleTimeout = TimeSpan.FromMilliseconds(100),
            StandardOutput = output,
            StandardError = error,
        };
        using ProcessExecutor executor = new("unheard", command);
        Action[] starts =
        [
            () => command.Start().Dispose(),
            () => command.Run(),
            () => command.RunAsync().GetAwaiter().GetResult(),
            () => executor.Run(),
            () => command.PipeTo(TestPrograms.Quick("stdin")).Run(),
            () => ProcessBatch.Enumerate([command]).Single().EnsureSuccess(),
        ];
        foreach (Action start in starts)
        {
            start.Should().Throw<InvalidOperationException>().WithMessage("*IdleTimeout*");
        }
    });

    [Fact]
    public void Silence_OfAStageThatWritesIntoThePipeline_IsNoLimit() => Guard.Run(() =>
    {
        ProcessCommand writer = TestPrograms.Quick("write-forever", "10") with
        {
            IdleTimeout = TimeSpan.FromMilliseconds(100),
        };
        ProcessPipeline pipeline =
            writer.PipeTo(TestPrograms.Quick("stdin") with { StandardOutput = OutputTarget.Null });
        Action run = () => pipeline.Run();
        run.Should().Throw<InvalidOperationException>().WithMessage("*IdleTimeout*");
        ProcessCommand reader =
            TestPrograms.Quick("sleep", "1000000") with { IdleTimeout = TimeSpan.FromMilliseconds(100) };
        TestPrograms.Quick().PipeTo(reader).Run().Stages[^1].Outcome.Should().Be(ProcessOutcome.IdleTimedOut);
    });

    // Discarded output is not observed: only the other stream counts.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Silence_BesideAStreamThatIsThrownAway_IsThatOfTheOther(bool isOutputNull) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("echo", "out", "err", "err", "sleep", "1000000") with
        {
            IdleTimeout = TimeSpan.FromMilliseconds(100),
            StandardOutput = isOutputNull ? OutputTarget.Null : OutputTarget.Capture(),
            StandardError = isOutputNull ? OutputTarget.Capture() : OutputTarget.Null,
        };
        command.Run().Outcome.Should().Be(ProcessOutcome.IdleTimedOut);
    });

    [Fact]
    public void TimeoutBeforeTheIdleOne_DecidesTheOutcome() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("sleep", "1000000") with
        {
            Timeout = TimeSpan.FromMilliseconds(20),
            IdleTimeout = TimeSpan.FromMinutes(10),
        };
        command.Run().Outcome.Should().Be(ProcessOutcome.TimedOut);
    });
}
