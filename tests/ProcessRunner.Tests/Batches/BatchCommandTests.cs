using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies the kinds of commands within a batch.</summary>
public sealed class BatchCommandTests
{
    [Fact]
    public void CommandThatCannotBeStarted_IsAResultAmongTheOthers() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand good = TestPrograms.Quick("echo", "good");
        (ProcessCommand Command, ProcessStartStep? Step)[] bad =
        [
            (new ProcessCommand("/no/such/program"), ProcessStartStep.NotFound),
            (
                new ProcessCommand(directory.File("text", "echo")),
                OperatingSystem.IsWindows() ? ProcessStartStep.BadFormat : ProcessStartStep.NotExecutable),
            (good with { WorkingDirectory = directory.At("missing") }, ProcessStartStep.BadDirectory),
            .. WithTooLongAnArgument(),
            (good with { StandardInput = InputSource.FromFile(directory.At("missing")) }, null),
            (good with { StandardOutput = OutputTarget.ToFile(directory.At("missing/file")) }, null),
        ];
        List<BatchResult> results = [.. ProcessBatch.Enumerate(
            bad.SelectMany(one => new[] { good, one.Command, good }), new BatchOptions { MaxConcurrency = 3 })
            .OrderBy(result => result.Index)];
        results.Should().HaveCount(3 * bad.Length);
        foreach (BatchResult result in results)
        {
            if (result.Index % 3 != 1)
            {
                result.EnsureSuccess().StandardOutput.Text.Should().Be("good\n");
                continue;
            }

            (result.IsSuccess, result.Result, result.IsFlaky).Should().Be((false, null, false));
            ProcessStartException exception = result.Exception.Should().BeOfType<ProcessStartException>().Subject;
            exception.Step.Should().Be(bad[result.Index / 3].Step ?? exception.Step);
            FluentActions.Invoking(result.EnsureSuccess)
                .Should().ThrowExactly<ProcessStartException>().Which.Should().BeSameAs(exception);
            result.ToString().Should().Contain(exception.Message);
        }
    });

    [Fact]
    [OnlyOn(Systems.Linux, "ETXTBSY")]
    public void ProgramThatStaysBusy_IsTriedTwelveTimes_WhileTheOthersRun() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string program = directory.Program("program", "#!/bin/sh\nexit 7\n");
        ConcurrentBag<string> attempts = [];
        using ProcessEngine engine = new(new ProcessEngineOptions { Trace = attempts.Add });
        List<BatchResult> results;
        using (new FileStream(program, FileMode.Open, FileAccess.Write))
        {
            results = [.. ProcessBatch.Enumerate(
                [new ProcessCommand(program), TestPrograms.Quick(), TestPrograms.Quick()],
                new BatchOptions { Engine = engine, MaxConcurrency = 1 })];
        }

        results.Select(result => result.Index)
            .Should().Equal([1, 2, 0], "a command that waits for its next attempt holds no slot");
        results.Take(2).Should().OnlyContain(result => result.IsSuccess);
        results[2].Exception.Should().BeOfType<ProcessStartException>().Which.Step.Should().Be(ProcessStartStep.Busy);
        attempts.Count(line => line.Contains(program, StringComparison.Ordinal)).Should().Be(12);
    });

    [Fact]
    public void SameCommand_AThousandTimesAtOnce_IsAThousandChildren() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("pid", "err", "x");
        int count = Crowd.Of(1_000);
        List<BatchResult> results =
            [.. ProcessBatch.Enumerate(Enumerable.Repeat(command, count), new BatchOptions { MaxConcurrency = 64 })];
        results.Select(result => result.Index).Order()
            .Should().Equal(Enumerable.Range(0, count).Select(index => (long)index));
        results.TrueForAll(result => result.IsSuccess
            && result.Result!.StandardOutput.Text == $"{result.Result.ProcessId}\n"
            && result.Result.StandardError.Text == "x\n").Should().BeTrue();
        results.Max(result => result.Slot).Should().BeInRange(1, 63);
    });

    [Fact]
    public void CallbacksAndStreams_GetWhatTheirChildWrote() => Guard.Run(() =>
    {
        const int Children = 40;
        ConcurrentBag<string> lines = [];
        MemoryStream[] streams = [.. Enumerable.Range(0, Children).Select(_ => new MemoryStream())];
        List<BatchResult> results = [.. ProcessBatch.Enumerate(
            Enumerable.Range(0, Children).Select(n => TestPrograms.Quick("echo", $"line {n}", "stdin-err") with
            {
                StandardInput = InputSource.FromStream(new MemoryStream(Encoding.ASCII.GetBytes($"input {n}"))),
                StandardOutput = OutputTarget.ToLines(line => lines.Add(line.Content)),
                StandardError = OutputTarget.ToStream(streams[n]),
            }),
            new BatchOptions { MaxConcurrency = 8 })];
        results.TrueForAll(result => result.IsSuccess).Should().BeTrue();
        lines.Should().BeEquivalentTo(Enumerable.Range(0, Children).Select(number => $"line {number}"));
        streams.Select(stream => Encoding.ASCII.GetString(stream.ToArray()))
            .Should().Equal(Enumerable.Range(0, Children).Select(number => $"input {number}"));
    });

    // Wine takes a command line of any length; only the native backend looks at it first.
    private static (ProcessCommand, ProcessStartStep?)[] WithTooLongAnArgument() =>
        Platform.Current is { IsWine: true, IsNative: false }
        ? []
        : [(TestPrograms.Quick("echo", new string('x', 2_000_000)), ProcessStartStep.TooLarge)];

    [Fact]
    public void CallbackThatThrows_IsTheExceptionOfItsResultAlone() => Guard.Run(() =>
    {
        NotFiniteNumberException thrown = new();
        ProcessCommand bad = TestPrograms.Quick("echo", "x") with
        {
            StandardOutput = OutputTarget.ToLines(_ => throw thrown),
        };
        BatchResults batch = ProcessBatch.Enumerate([TestPrograms.Quick(), bad, TestPrograms.Quick()]);
        List<BatchResult> results = [.. batch.OrderBy(result => result.Index)];
        results.Select(result => result.IsSuccess).Should().Equal(true, false, true);
        results[1].Exception.Should().BeSameAs(thrown);
        results[1].Result.Should().NotBeNull();
        FluentActions.Invoking(results[1].EnsureSuccess).Should().ThrowExactly<NotFiniteNumberException>();
        (batch.Progress.Failed, batch.StoppedBy).Should().Be((1, StopCause.None));
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Files_AreOpenedOffTheReactors_EvenIfTheyBlock() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string fifo = directory.Fifo("fifo");
        string output = directory.At("output");
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });

        // The open of the FIFO blocks until the last command writes to it, and only a free reactor can start that
        // command.
        ProcessCommand[] commands =
        [
            TestPrograms.Quick(),
            TestPrograms.Quick("stdin") with
            {
                StandardInput = InputSource.FromFile(fifo),
                StandardOutput = OutputTarget.ToFile(output),
            },
            TestPrograms.Quick(),
            TestPrograms.Shell("echo through >\"$1\"", fifo),
        ];
        ProcessBatch.Enumerate(commands, new BatchOptions { Engine = engine, MaxConcurrency = 2 })
            .ToList().TrueForAll(result => result.IsSuccess).Should().BeTrue();
        File.ReadAllText(output).Should().Be("through\n");
    });

    [Fact]
    public void Trace_SeesEveryCommand_AndNeverOnAReactor() => Guard.Run(() =>
    {
        const int Children = 60;
        ConcurrentBag<(string Line, string? Thread)> traced = [];
        using ProcessEngine engine =
            new(new ProcessEngineOptions { Trace = line => traced.Add((line, Thread.CurrentThread.Name)) });
        List<BatchResult> results = [.. ProcessBatch.Enumerate(
            Enumerable.Range(0, Children).Select(number => TestPrograms.Quick("echo", $"number-{number}-")),
            new BatchOptions { Engine = engine, MaxConcurrency = 4 })];
        results.TrueForAll(result => result.IsSuccess).Should().BeTrue();
        traced.Should().HaveCount(Children);
        Enumerable.Range(0, Children).All(
            number => traced.Any(one => one.Line.Contains($"number-{number}-", StringComparison.Ordinal)))
            .Should().BeTrue();
        traced.Should().NotContain(
            one => one.Thread != null && one.Thread.StartsWith("ProcessRunner I/O", StringComparison.Ordinal));
    });

    // After any kind of exception, the engine survives and the other commands run.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TraceThatThrows_FailsItsOwnCommandAlone(bool isObjectDisposed) => Guard.Run(() =>
    {
        Exception thrown = isObjectDisposed
            ? new ObjectDisposedException("a log of the user's")
            : new NotFiniteNumberException();
        using ProcessEngine engine = new(new ProcessEngineOptions
        {
            Trace = line => _ = line.Contains("bad", StringComparison.Ordinal) ? throw thrown : 0,
        });
        BatchResults batch = ProcessBatch.Enumerate(
            [
                TestPrograms.Quick(),
                TestPrograms.Quick("echo", "bad"),
                TestPrograms.Quick(),
                TestPrograms.Quick(),
            ],
            new BatchOptions { Engine = engine, MaxConcurrency = 1 });
        List<BatchResult> results = [.. batch];
        results.Select(result => result.IsSuccess).Should().Equal(true, false, true, true);
        results[1].Exception.Should().BeSameAs(thrown);
        batch.StoppedBy.Should().Be(StopCause.None);
    });

    // The start of another child copies the descriptor that writes the script until that child's exec.
    [Fact]
    [OnlyOn(Systems.Unix, "the modes of files")]
    public void FreshScripts_WrittenWhileOthersAreStarted_AreNeverBusy() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        List<BatchResult> results = [.. ProcessBatch.Enumerate(
            Enumerable.Range(0, 300).Select(number =>
            {
                string file = directory.At($"script-{number}");
                File.WriteAllText(file, $"#!/bin/sh\nexit {number % 100}\n");
                File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserExecute);
                return new ProcessCommand(file);
            }),
            new BatchOptions { MaxConcurrency = 8 })];
        results.Should().HaveCount(300);
        results.TrueForAll(result => result.Result?.ExitCode == result.Index % 100).Should().BeTrue();
    });

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public void EngineOfAnyKind_RunsABatch(bool forwardsInterrupt, bool killsOnExit) => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions
        {
            ForwardInterrupt = forwardsInterrupt,
            KillChildrenOnExit = killsOnExit,
        });
        List<BatchResult> results = [.. ProcessBatch.Enumerate(
            Enumerable.Range(0, 50).Select(number => TestPrograms.Quick("echo", $"{number}")),
            new BatchOptions { Engine = engine, MaxConcurrency = 8 })];
        results.TrueForAll(result => result.EnsureSuccess().StandardOutput.Text == $"{result.Index}\n")
            .Should().BeTrue();
        engine.LiveChildren.Should().Be(0);
    });

    [Fact]
    public void BatchesWithinBatches_ByInputAndByCallback_DoNotWaitForEachOther() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        BatchOptions options = new() { Engine = engine, MaxConcurrency = 1 };
        int inner = 0;
        IEnumerable<ProcessCommand> input =
            ProcessBatch.Enumerate(Enumerable.Repeat(TestPrograms.Quick("echo", "x"), 5), options)
            .Select(result => result.Command with
            {
                StandardOutput = OutputTarget.ToLines(_ => Interlocked.Add(
                    ref inner,
                    ProcessBatch.Enumerate([TestPrograms.Quick(), TestPrograms.Quick()], options).Count())),
            });
        ProcessBatch.Enumerate(input, options).Count().Should().Be(5);
        inner.Should().Be(10);
    });
}
