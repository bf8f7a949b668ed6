using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>
/// Verifies that user code is called for a child one call at a time, in its caller's context, and never after the run
/// is over.
/// </summary>
public sealed class CallTurnTests
{
    private const int Lines = 20_000;

    private static readonly AsyncLocal<string?> s_caller = new();

    [Fact]
    public void CallbacksOfBothStreams_ShareWhatIsNotThreadSafe() => Guard.Run(() =>
    {
        List<string> lines = [];
        ProcessCommand command = TestPrograms.Quick(
            "spawn", "seq", "1", $"{Lines}", "end", "seq-err", "1", $"{Lines}", "wait") with
        {
            StandardOutput = OutputTarget.ToLines(line => lines.Add(line.Content)),
            StandardError = OutputTarget.Tee(
                OutputTarget.ToLines(line => lines.Add(line.Content)),
                OutputTarget.ToLines(line => lines.Add(line.Content))),
        };
        command.Run().EnsureSuccess();
        lines.Count.Should().Be(3 * Lines);
        lines.GroupBy(line => line).Should().OnlyContain(group => group.Count() == 3);
    });

    [Fact]
    public void StreamOfTheUsers_ForBothOutputs_GetsOneWriteAtATime() => Guard.Run(() =>
    {
        using OneAtATime stream = new();
        ProcessCommand command = TestPrograms.Quick(
            "spawn", "seq", "1", $"{Lines}", "end", "seq-err", "1", $"{Lines}", "wait") with
        {
            StandardOutput = OutputTarget.ToStream(stream),
            StandardError = OutputTarget.ToStream(stream),
        };
        ProcessResult result = command.Run().EnsureSuccess();
        stream.Length.Should().Be(result.StandardOutput.TotalBytes + result.StandardError.TotalBytes);
    });

    [NativeBackend("two threads read the streams of a child, so that either can be first")]
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Callback_ThatIsNotWaitedFor_IsNotCalledAgain(bool isStopped) => Guard.Run(() =>
    {
        using ManualResetEventSlim inCall = new();
        using ManualResetEventSlim mayReturn = new();
        int calls = 0;
        int callsOfTheOther = 0;
        Thread? thread = null;
        ProcessCommand command = TestPrograms.Quick("seq", "1", "1000", "seq-err", "1", "1000", "sleep", "1000000") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                thread = Thread.CurrentThread;
                Interlocked.Increment(ref calls);
                inCall.Set();
                mayReturn.Wait();
            }),
            StandardError = OutputTarget.ToLines(_ =>
            {
                inCall.Wait();
                Interlocked.Increment(ref callsOfTheOther);
            }),
            StopGrace = TimeSpan.Zero,
        };
        ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        ChildProcess child = command.Start(engine);
        inCall.Wait();
        if (isStopped)
        {
            child.Stop(TimeSpan.Zero);
        }
        else
        {
            child.Dispose();
        }

        int before = Volatile.Read(ref callsOfTheOther);
        mayReturn.Set();
        engine.Dispose();

        // A delivery thread ends with its engine once its job is done.
        thread!.Join();
        calls.Should().Be(1);
        callsOfTheOther.Should().Be(before);
    });

    [Fact]
    public void CallbackThatIsCutOff_LetsTheOthersGoOn() => Guard.Run(() =>
    {
        using ManualResetEventSlim mayReturn = new();
        int lines = 0;
        ProcessCommand command = TestPrograms.Quick("seq", "1", $"{10 * Lines}") with
        {
            StandardOutput = OutputTarget.Tee(
                OutputTarget.ToLines(_ => mayReturn.Wait()),
                OutputTarget.ToLines(_ => lines++),
                OutputTarget.Capture()),
        };
        using ChildProcess child = command.Start();
        Exception? thrown = StreamingSupport.Thrown(() => child.Wait());
        thrown.Should().BeOfType<TimeoutException>();
        ProcessResult.Of(thrown!)!.ExitCode.Should().Be(0);
        mayReturn.Set();
        lines.Should().Be(10 * Lines);
    });

    [Fact]
    public void Callbacks_SeeTheContextOfTheirCaller_AndLeaveNothing() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        List<string?> seen = [];
        ProcessCommand command = TestPrograms.Quick("stdin", "err", "error") with
        {
            StandardInput = InputSource.FromStream(new Watched(() => seen.Add($"input {s_caller.Value}"))),
            StandardOutput = OutputTarget.ToBytes((ReadOnlySpan<byte> _) =>
            {
                seen.Add($"output {s_caller.Value}");
                s_caller.Value = "a callback";
                CultureInfo.CurrentCulture = new CultureInfo("") { NumberFormat = { NumberDecimalSeparator = "#" } };
                SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
                Thread.CurrentThread.Priority = ThreadPriority.BelowNormal;
                Thread.CurrentThread.Name = "a callback's";
            }),
        };
        s_caller.Value = "the first";
        command.Run(engine).EnsureSuccess();
        seen.Distinct().Should().BeEquivalentTo("input the first", "output the first");
        seen.Clear();

        ProcessCommand other = TestPrograms.Quick("echo", "text") with
        {
            StandardOutput = OutputTarget.ToLines(_ => seen.Add(
                $"{s_caller.Value}, {1.5.ToString(CultureInfo.CurrentCulture)}, {SynchronizationContext.Current}, "
                    + $"{Thread.CurrentThread.Priority}, {Thread.CurrentThread.Name}")),
        };
        s_caller.Value = null;
        string number = 1.5.ToString(CultureInfo.CurrentCulture);
        for (int i = 0; i < 20; i++)
        {
            other.Run(engine).EnsureSuccess();
            other.RunAsync(engine).GetAwaiter().GetResult().EnsureSuccess();
        }

        seen.Distinct().Should().Equal($", {number}, , Normal, ProcessRunner delivery");
    });

    [Fact]
    public void BatchesAndPipelines_CallInTheContextOfTheirCaller() => Guard.Run(() =>
    {
        List<string?> seen = [];
        ProcessCommand command = TestPrograms.Quick("stdin-err", "err", "text") with
        {
            StandardError = OutputTarget.ToLines(_ => See()),
        };
        s_caller.Value = "caller";
        BatchOptions options = new() { MaxConcurrency = 1, Progress = new Watcher(See) };
        ProcessBatch.Enumerate(Commands(), options).Count(result => result.IsSuccess).Should().Be(10);
        int calls = seen.Count;
        command.PipeTo(command).PipeTo(command).RunAsync().GetAwaiter().GetResult();
        seen.Count.Should().Be(calls + 3);
        seen.Should().OnlyContain(caller => caller == "caller");

        IEnumerable<BatchItem> Commands()
        {
            for (int i = 0; i < 10; i++)
            {
                See();
                yield return new BatchItem(command);
            }
        }

        void See()
        {
            lock (seen)
            {
                seen.Add(s_caller.Value);
            }
        }
    });

    [Fact]
    public void InputsAndJudgements_AreCalledInTheContextOfTheirCaller() => Guard.Run(() =>
    {
        ConcurrentQueue<string> seen = [];
        ProcessCommand echo = TestPrograms.Quick("stdin", "return", "1") with
        {
            AcceptsExitCode = _ => See("exit code") is null,
        };
        s_caller.Value = "caller";
        foreach (InputSource input in (InputSource[])
        [
            InputSource.FromLines(Lines()),
            InputSource.FromWriter((stream, _) =>
            {
                stream.Write(Encoding.UTF8.GetBytes(See("writer")!));
                return Task.CompletedTask;
            }),
        ])
        {
            ProcessBatch.Run(
                [new BatchItem(echo with { StandardInput = input })
                {
                    Retry = new BatchRetry { Count = 1, When = _ => See("retry") is null },
                }]).Failed.Should().Be(1);
        }

        ProcessCommand live = TestPrograms.Quick("echo", "text") with { StandardOutput = OutputTarget.Live() };
        using ChildProcess child = live.Start();
        child.WaitForLineAsync(line => See("line") is not null, Guard.Limit).GetAwaiter().GetResult();
        seen.Distinct().Should().BeEquivalentTo(
            "lines: caller", "writer: caller", "exit code: caller", "retry: caller", "line: caller");

        IEnumerable<string> Lines()
        {
            yield return See("lines")!;
        }

        string? See(string what)
        {
            seen.Enqueue($"{what}: {s_caller.Value}");
            return s_caller.Value;
        }
    });

    [Fact]
    public void AsynchronousCallbacks_AreAwaited() => Guard.Run(() =>
    {
        List<string> lines = [];
        long bytes = 0;
        ProcessCommand command = TestPrograms.Quick("seq", "1", "300", "seq-err", "1", "300") with
        {
            StandardOutput = OutputTarget.ToLines(async line =>
            {
                await Task.Yield();
                lines.Add(line.Content);
            }),
            StandardError = OutputTarget.ToBytes(async (part, token) =>
            {
                await Task.Delay(1, token);
                bytes += part.Length;
            }),
        };
        ProcessResult result = command.Run().EnsureSuccess();
        lines.Should().Equal(Enumerable.Range(1, 300).Select(number => $"{number}"));
        bytes.Should().Be(result.StandardError.TotalBytes);
    });

    [Fact]
    public void AsynchronousCallback_ThatFails_IsToldByTheWait() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("seq", "1", "300") with
        {
            StandardOutput = OutputTarget.ToLines(async (line, _) =>
            {
                await Task.Yield();
                throw new InvalidTimeZoneException(line.Content);
            }),
        };
        StreamingSupport.Thrown(() => command.Run())
            .Should().BeOfType<InvalidTimeZoneException>().Which.Message.Should().Be("1");
    });

    [Fact]
    public void AsynchronousCallback_OfARunThatIsStopped_IsCanceled() => Guard.Run(() =>
    {
        using ManualResetEventSlim inCall = new();
        using ManualResetEventSlim canceled = new();
        ProcessCommand command = TestPrograms.Quick("echo", "text", "sleep", "1000000") with
        {
            StandardOutput = OutputTarget.ToLines(async (_, token) =>
            {
                inCall.Set();
                try
                {
                    await Task.Delay(Timeout.InfiniteTimeSpan, token);
                }
                catch (OperationCanceledException)
                {
                    canceled.Set();
                    throw;
                }
            }),
        };
        using ChildProcess child = command.Start();
        inCall.Wait();
        child.Stop(TimeSpan.Zero);
        canceled.Wait();
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AsynchronousCallback_WhoseCancellationThrows_IsNoEndOfTheProgram(bool takesLines) => Guard.Run(() =>
    {
        using ManualResetEventSlim inCall = new();
        using ManualResetEventSlim wasCalled = new();
        async ValueTask ReceiveAsync(CancellationToken token)
        {
            TaskCompletionSource canceled = new();
            token.Register(() =>
            {
                canceled.SetResult();
                throw new InvalidTimeZoneException();
            });
            inCall.Set();
            await canceled.Task;
            wasCalled.Set();
        }

        ProcessCommand command = TestPrograms.Quick("echo", "text", "sleep", "1000000") with
        {
            StandardOutput = takesLines
                ? OutputTarget.ToLines((_, token) => ReceiveAsync(token))
                : OutputTarget.ToBytes((_, token) => ReceiveAsync(token)),
        };
        using ProcessEngine engine = new();
        using ChildProcess child = command.Start(engine);
        inCall.Wait();
        child.Stop(TimeSpan.Zero).StoppedBy.Should().Be(StopCause.Request);
        wasCalled.Wait();
        TestPrograms.Quick("echo", "text").Run(engine).StandardOutput.Text.Should().Be("text\n");
    });

    private sealed class OneAtATime : MemoryStream
    {
        private int _writers;

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            Interlocked.Increment(ref _writers).Should().Be(1);
            Thread.Yield();
            base.Write(buffer);
            Interlocked.Decrement(ref _writers);
        }
    }

    private sealed class Watched(Action read) : MemoryStream(new byte[100_000])
    {
        public override int Read(byte[] buffer, int offset, int count)
        {
            read();
            return base.Read(buffer, offset, count);
        }

        public override int Read(Span<byte> buffer)
        {
            read();
            return base.Read(buffer);
        }
    }

    private sealed class Watcher(Action reported) : IProgress<BatchProgress>
    {
        public void Report(BatchProgress value) => reported();
    }
}
