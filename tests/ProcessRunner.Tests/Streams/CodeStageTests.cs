using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams;

/// <summary>Verifies code as the input of a command and between the stages of a pipeline.</summary>
public sealed class CodeStageTests
{
    private static readonly ProcessCommand s_cat = TestPrograms.Quick("stdin");

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Transform_BetweenTwoCommands_SeesEveryByte(bool isAsync) => Guard.Run(() =>
    {
        const int Count = 3_000_000;
        ProcessPipeline pipeline = TestPrograms.Quick("zeros", $"{Count}").PipeThrough(
            async (input, output, token) =>
            {
                byte[] buffer = new byte[10_000];
                int count;
                while ((count = isAsync ? await input.ReadAsync(buffer, token) : input.Read(buffer)) > 0)
                {
                    buffer.AsSpan(0, count).Fill((byte)'x');
                    if (isAsync)
                    {
                        await output.WriteAsync(buffer.AsMemory(0, count), token);
                    }
                    else
                    {
                        output.Write(buffer.AsSpan(0, count));
                    }
                }
            },
            s_cat);
        PipelineResult result = pipeline.Run().EnsureSuccess();
        result.StandardOutput.Text.Should().Be(new string('x', Count));
        pipeline.RunAsync().Result.StandardOutput.TotalBytes.Should().Be(Count);
        pipeline.ToString().Should().Contain(" | (code) | ");
        pipeline.Should().Be(pipeline with { }).And.NotBe(TestPrograms.Quick("zeros", $"{Count}").PipeTo(s_cat));
    });

    // The pauses let reads wait. What a blocked read waits for comes by the thread that has ended the awaited one.
    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Transform_ThatAwaitsARead_MayBlockInTheNextOne() => Guard.Run(() =>
    {
        ProcessCommand slow = TestPrograms.Shell(
            "for n in 1 2 3 4 5; do sleep 0.02; echo awaited; sleep 0.02; echo blocked; done");
        ProcessPipeline pipeline = slow.PipeThrough(
            async (input, output, token) =>
            {
                using StreamReader reader = new(input);
                while (await reader.ReadLineAsync(token) is string line)
                {
                    output.Write(System.Text.Encoding.UTF8.GetBytes($"{line} {reader.ReadLine()}\n"));
                }
            },
            s_cat);
        pipeline.Run().EnsureSuccess().StandardOutput.Lines()
            .Should().Equal(Enumerable.Repeat("awaited blocked", 5));
    });

    [Fact]
    public void Transform_NeverRunsOnAReactor() => Guard.Run(() =>
    {
        List<string?> threads = [];
        ProcessPipeline pipeline = TestPrograms.Quick("zeros", "1000000").PipeThrough(
            async (input, output, token) =>
            {
                byte[] buffer = new byte[4096];
                int count;
                while ((count = await input.ReadAsync(buffer, token)) > 0)
                {
                    threads.Add(Thread.CurrentThread.Name);
                    await output.WriteAsync(buffer.AsMemory(0, count), token);
                }
            },
            s_cat);
        pipeline.Run().EnsureSuccess();
        threads.Should().NotBeEmpty();
        threads.Should().OnlyContain(name => name == "ProcessRunner delivery" || !name!.StartsWith("ProcessRunner"));
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    [NativeBackend(".NET passes on that this process ignores SIGPIPE")]
    public void TransformThatReturnsEarly_EndsTheStageBefore() => Guard.Run(() =>
    {
        ProcessPipeline pipeline = new ProcessCommand("yes").PipeThrough(
            (input, output, _) =>
            {
                output.WriteByte((byte)input.ReadByte());
                return Task.CompletedTask;
            },
            s_cat);
        PipelineResult result = pipeline.Run();
        result.StandardOutput.Text.Should().Be("y");
        result.IsSuccess.Should().BeTrue("a stage that was cut short counts as successful");
    });

    [Fact]
    public void TransformThatThrows_FailsThePipeline() => Guard.Run(() =>
    {
        ProcessPipeline pipeline = TestPrograms.Quick("yes").PipeThrough(
            (_, _, _) => throw new FormatException("thrown"), s_cat);
        pipeline.Invoking(one => one.Run()).Should().ThrowExactly<FormatException>();
        FluentActions.Invoking(() => pipeline.RunAsync().GetAwaiter().GetResult())
            .Should().ThrowExactly<FormatException>();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    [NativeBackend(".NET passes on that this process ignores SIGPIPE")]
    public void StageThatLeavesEarly_CancelsTheTransform() => Guard.Run(() =>
    {
        ProcessPipeline pipeline = new ProcessCommand("yes").PipeThrough(
            async (input, output, token) => await input.CopyToAsync(output, token), new ProcessCommand("true"));
        PipelineResult result = pipeline.Run();
        result.IsSuccess.Should().BeTrue();
    });

    // The receivers of a stage take turns: that of the error has none once the pipe to the code is full. A busy machine
    // can take so long that the run gives up on both, but not each time.
    [Fact]
    public void StageThatCannotStart_LetsTheReceiversOfTheStageBeforeGoOn() => Guard.Run(() =>
    {
        bool isWhole = false;
        for (int i = 0; i < 20 && !isWhole; i++)
        {
            int written = 0;
            int received = 0;
            using ManualResetEventSlim isFull = new();
            SimulatedRun first = new SimulatedRun()
                .Do(program =>
                {
                    new Thread(() => Record.Exception(() => program.OutputStream.Write(new byte[1_000_000]))).Start();
                    do
                    {
                        program.StandardError.Write("x");
                        written++;
                    }
                    while (SpinWait.SpinUntil(() => Volatile.Read(ref received) == written, 200));
                    isFull.Set();
                })
                .Pause(Timeout.InfiniteTimeSpan);
            using ProcessEngine engine = ProcessEngine.Simulate(command =>
            {
                if (command.FileName == "first")
                {
                    return first;
                }

                isFull.Wait();
                return SimulatedRun.FailStart(ProcessStartStep.NotFound);
            });
            ProcessCommand stage = new("first")
            {
                StandardError = OutputTarget.ToBytes(bytes => Volatile.Write(ref received, received + bytes.Length)),
            };
            ProcessPipeline pipeline =
                stage.PipeThrough((_, _, _) => Task.CompletedTask, new ProcessCommand("second"));
            pipeline.Invoking(one => one.Run(engine)).Should().Throw<ProcessStartException>();
            isWhole = received == written;
        }

        isWhole.Should().BeTrue();
    });

    // The stage before it writes nothing that could wake it.
    [Fact]
    public void StageThatLeavesEarly_EndsTheReadOfTheTransform() => Guard.Run(() =>
    {
        using ManualResetEventSlim isCanceled = new();
        ProcessPipeline pipeline = TestPrograms.Quick("sleep", "1000000").PipeThrough(
            async (input, output, _) =>
            {
                output.WriteByte((byte)'\n');
                try
                {
                    await input.ReadExactlyAsync(new byte[1], CancellationToken.None);
                }
                catch (OperationCanceledException)
                {
                    isCanceled.Set();
                }
            },
            TestPrograms.Quick("answer", ""));
        using RunningPipeline running = pipeline.Start();
        isCanceled.Wait();
        running.Stop();
    });

    // Otherwise a pool whose threads all wait for children would hold up the pipeline. What comes while the code begins
    // to await it continues in the pool: that is the runtime's.
    [Fact]
    public void TransformThatAwaitsARead_ContinuesWhereTheBytesCome() => Guard.Run(() => LongerLimits.Until(pause =>
    {
        List<string?> threads = [];
        ProcessCommand first = TestPrograms.Quick("sleep", $"{(int)pause.TotalMilliseconds}", "echo", "text");
        ProcessPipeline pipeline = first.PipeThrough(
            async (input, _, _) =>
            {
                await input.ReadExactlyAsync(new byte[1], CancellationToken.None);
                threads.Add(Thread.CurrentThread.Name);
            },
            s_cat);
        pipeline.Run().EnsureSuccess();
        threads.Should().Equal("ProcessRunner delivery");
    }));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Stop_OfAPipelineWithCode_EndsAll(bool isTimeout) => Guard.Run(() =>
    {
        ProcessCommand sleeper = TestPrograms.Quick("sleep", "1000000");
        ProcessPipeline pipeline = sleeper.PipeThrough((input, output, _) => Copy(input, output), s_cat) with
        {
            Timeout = isTimeout ? TimeSpan.FromMilliseconds(50) : Timeout.InfiniteTimeSpan,
        };
        using RunningPipeline running = pipeline.Start();
        if (!isTimeout)
        {
            running.RequestStop();
        }

        running.Wait().Stages.Should().OnlyContain(
            stage => stage.Outcome == (isTimeout ? ProcessOutcome.TimedOut : ProcessOutcome.Canceled)
                || stage.Outcome == ProcessOutcome.Exited);

        static Task Copy(Stream input, Stream output)
        {
            input.CopyTo(output);
            return Task.CompletedTask;
        }
    });

    [Fact]
    public void Writer_OfTheInput_IsRunForEachRun() => Guard.Run(() =>
    {
        int calls = 0;
        ProcessCommand command = s_cat with
        {
            StandardInput = InputSource.FromWriter(async (input, token) =>
            {
                calls++;
                await Task.Yield();
                await input.WriteAsync(new byte[100_000], token);
                input.Write(new byte[100_000]);
            }),
        };
        command.Run().StandardOutput.TotalBytes.Should().Be(200_000);
        command.RunAsync().Result.StandardOutput.TotalBytes.Should().Be(200_000);
        calls.Should().Be(2);
    });

    [Fact]
    public void Writer_ThatThrows_IsAnErrorOfTheRun() => Guard.Run(() =>
    {
        ProcessCommand command = s_cat with
        {
            StandardInput = InputSource.FromWriter((input, _) =>
            {
                input.Write("some"u8);
                throw new FormatException("thrown");
            }),
        };
        FormatException error =
            command.Invoking(one => one.Run()).Should().ThrowExactly<FormatException>().Which;
        ProcessResult.Of(error)!.StandardOutput.Text.Should().Be("some");
    });

    [Fact]
    public void Writer_OfAChildThatStopsReading_IsCanceledWithoutAnError() => Guard.Run(() =>
    {
        using ManualResetEventSlim canceled = new();
        ProcessCommand command = TestPrograms.Quick("answer", "") with
        {
            StandardInput = InputSource.FromWriter(async (input, token) =>
            {
                input.WriteByte((byte)'\n');
                TaskCompletionSource forever = new();
                using CancellationTokenRegistration registration = token.Register(() =>
                {
                    canceled.Set();
                    forever.SetCanceled(token);
                });
                await forever.Task;
            }),
        };
        command.Run().IsSuccess.Should().BeTrue();
        canceled.Wait();
    });

    [Fact]
    [NotUnderWine("the own console of a child holds its pipes open there")]
    public void Writer_OfAChildThatClosesItsInputAndLives_Ends() => Guard.Run(() =>
    {
        using ManualResetEventSlim ended = new();
        ProcessCommand command = TestPrograms.Child("close-input", "sleep", "1000000") with
        {
            StandardInput = InputSource.FromWriter(async (input, token) =>
            {
                byte[] chunk = new byte[10_000];
                try
                {
                    while (true)
                    {
                        await input.WriteAsync(chunk, token);
                    }
                }
                finally
                {
                    ended.Set();
                }
            }),
        };
        using ChildProcess child = command.Start();
        ended.Wait();
        child.IsRunning.Should().BeTrue();
        child.Kill();
        child.Wait().IsSuccess.Should().BeFalse();
    });

    [Fact]
    public void Lines_AreWrittenWithLineFeeds() => Guard.Run(() =>
    {
        IEnumerable<string> many = Enumerable.Range(0, 100_000).Select(i => $"{i}");
        ProcessCommand command = s_cat with { StandardInput = InputSource.FromLines(many) };
        command.Run().StandardOutput.Lines().Should().Equal(many);
        ProcessCommand async = s_cat with { StandardInput = InputSource.FromLines(Async(many)) };
        async.Run().StandardOutput.Lines().Should().Equal(many);
        ProcessCommand wide = s_cat with
        {
            Encoding = System.Text.Encoding.Unicode,
            StandardInput = InputSource.FromLines(["ä", ""]),
        };
        wide.Run().StandardOutput.Bytes.Length.Should().Be(6);
        ProcessBatch.Run(Enumerable.Repeat(command, 3)).EnsureSuccess().Results
            .Should().OnlyContain(result => result.Result!.StandardOutput.TotalBytes == 588_890);
    });

    [Fact]
    public void Pieces_OfASequence_AreWrittenInOrder() => Guard.Run(() =>
    {
        ProcessCommand command = s_cat with { StandardInput = InputSource.FromBytes(Pieces()) };
        command.Run().StandardOutput.Text.Should().Be("abc");

        static async IAsyncEnumerable<ReadOnlyMemory<byte>> Pieces()
        {
            yield return "a"u8.ToArray();
            await Task.Yield();
            yield return "bc"u8.ToArray();
        }
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Sequence_WithoutAnEnd_EndsWithItsReader() => Guard.Run(() =>
    {
        ProcessCommand command = new("head", "-n", "3") { StandardInput = InputSource.FromLines(Endless()) };
        command.Run().StandardOutput.Lines().Should().Equal("x", "x", "x");

        static IEnumerable<string> Endless()
        {
            while (true)
            {
                yield return "x";
            }
        }
    });

    private static async IAsyncEnumerable<string> Async(IEnumerable<string> lines)
    {
        foreach (string line in lines)
        {
            if (line.EndsWith("00", StringComparison.Ordinal))
            {
                await Task.Yield();
            }

            yield return line;
        }
    }
}
