using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

[Collection(Alone.Name)]
public sealed class CallbackTests
{
    [Fact]
    public void Bytes_ReachTheirCallbackWithoutAllocation() => Guard.Run(() =>
    {
        const int Bytes = 64 * 1024 * 1024;
        const int FirstOnes = 50;
        int thread = 0;
        int chunks = 0;
        long bytes = 0;
        long before = 0;
        int allocating = 0;
        ProcessCommand command = TestPrograms.Quick("zeros", $"{Bytes}") with
        {
            StandardOutput = OutputTarget.ToBytes(chunk =>
            {
                if (thread != Environment.CurrentManagedThreadId)
                {
                    // The shared pool keeps a list for each thread, which the first return on that thread creates: at
                    // the end of a turn, however many chunks later that is. A size of its own displaces no buffer.
                    ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(16));
                }
                else if (chunks > FirstOnes)
                {
                    // Other one-time work, compilation above all, is over by now, unless it is that of a thread that
                    // comes to the end of its first turn.
                    allocating += GC.GetAllocatedBytesForCurrentThread() == before ? 0 : 1;
                }

                chunks++;
                bytes += chunk.Length;
                thread = Environment.CurrentManagedThreadId;
                before = GC.GetAllocatedBytesForCurrentThread();
            }),
        };
        command.Run().EnsureSuccess();
        bytes.Should().Be(Bytes);
        chunks.Should().BeGreaterThan(10 * FirstOnes);
        allocating.Should().BeLessThanOrEqualTo(5, $"no chunk costs memory, of {chunks}");
    });

    [Fact]
    public void Callback_ThatThrows_EndsItsDeliveryAndNothingElse() => Guard.Run(() =>
    {
        InvalidTimeZoneException thrown = new("on purpose");
        int calls = 0;
        ProcessCommand command = TestPrograms.Quick("seq", "1", "1000000", "err", "err", "return", "5") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                calls++;
                throw thrown;
            }),
        };
        using ChildProcess child = command.Start();
        StreamingSupport.Thrown(() => child.Wait()).Should().BeSameAs(thrown);
        StreamingSupport.Thrown(() => child.WaitAsync().GetAwaiter().GetResult()).Should().BeSameAs(thrown);
        ProcessResult result = ProcessResult.Of(thrown)!;
        result.ExitCode.Should().Be(5);
        result.StandardOutput.TotalBytes.Should().Be(6_888_896);
        result.StandardError.Text.Should().Be("err\n");
        calls.Should().Be(1);
    });

    [Fact]
    public void Callback_ThatThrowsAtTheLastLine_IsToldAsWell() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("print", "last") with
        {
            StandardOutput = OutputTarget.ToLines(line => throw new InvalidTimeZoneException(line.Content)),
        };
        StreamingSupport.Thrown(() => command.Run())
            .Should().BeOfType<InvalidTimeZoneException>().Which.Message.Should().Be("last");
    });

    [Fact]
    public void Callback_ThatThrows_IsToldByRunAsyncAndByExecutors() => Guard.Run(() =>
    {
        InvalidTimeZoneException thrown = new("on purpose");
        ProcessCommand command = TestPrograms.Quick("echo", "1") with
        {
            StandardError = OutputTarget.ToLines(_ => { }),
        };
        command = command with { StandardOutput = OutputTarget.ToBytes(_ => throw thrown) };
        StreamingSupport.Thrown(() => command.RunAsync().GetAwaiter().GetResult()).Should().BeSameAs(thrown);
        using ProcessExecutor executor = new("throws", command);
        executor.Run();
        ShouldBeACopy(StreamingSupport.Thrown(() => executor.Wait()));
        executor.Run();
        ShouldBeACopy(StreamingSupport.Thrown(() => ProcessExecutor.WaitAll([executor], Timeout.InfiniteTimeSpan)));

        // The original exception would lead to the result of the run that threw it first.
        void ShouldBeACopy(Exception? exception)
        {
            exception.Should().BeOfType<InvalidTimeZoneException>().Which.Message.Should().Be("on purpose");
            ProcessResult.Of(exception!).Should().NotBeSameAs(ProcessResult.Of(thrown)).And.NotBeNull();
        }
    });

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Callback_ThatBlocksForEver_LetsTheTimeoutEndTheRunAndOthersGoOn() =>
        Guard.Run(() => LongerLimits.Until(limit =>
    {
        using ManualResetEventSlim never = new();
        using CountdownEvent blocked = new(4);
        ProcessCommand command = TestPrograms.Quick("echo", "1", "seq", "1", "99999999") with
        {
            StandardOutput = OutputTarget.ToLines(line =>
            {
                blocked.Signal();
                never.Wait();
            }),
            Timeout = limit,
        };
        ChildProcess[] stuck = [.. Enumerable.Range(0, 4).Select(_ => command.Start())];
        Eventually.Is(
            () => blocked.IsSet || !Array.Exists(stuck, child => child.IsRunning),
            "all callbacks block, or the limit passed first");
        bool allBlock = blocked.IsSet;
        int lines = 0;
        ProcessCommand other = TestPrograms.Quick("seq", "1", "100") with
        {
            StandardOutput = OutputTarget.ToLines(_ => Interlocked.Increment(ref lines)),
        };
        for (int round = 0; round < 50; round++)
        {
            other.Run().EnsureSuccess();
        }

        lines.Should().Be(5000);
        ProcessOutcome[] outcomes = [.. stuck.Select(child => child.Wait().Outcome)];
        never.Set();
        allBlock.Should().BeTrue();
        outcomes.Should().OnlyContain(outcome => outcome == ProcessOutcome.TimedOut);
    }));

    [Fact]
    public void Callback_ThatIsStillBusyAtTheTimeout_GetsEverythingOrTheRunTellsThatItDidNot() => Guard.Run(() =>
    {
        const int Lines = 1000;
        int taken = 0;
        Thread? thread = null;
        ProcessCommand command = TestPrograms.Quick("seq", "1", $"{Lines}") with
        {
            Timeout = TimeSpan.FromSeconds(0.5),
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                Volatile.Write(ref thread, Thread.CurrentThread);
                Thread.Sleep(3);
                Interlocked.Increment(ref taken);
            }),
        };
        ProcessResult? result = null;
        ProcessEngine engine = new();
        Exception? exception = StreamingSupport.Thrown(() => result = command.Run(engine));
        int atTheEnd = Volatile.Read(ref taken);
        engine.Dispose();
        Volatile.Read(ref thread)?.Join();
        (atTheEnd == Lines || exception is not null || !result!.IsSuccess).Should().BeTrue(
            "a run that gave up its receiver is not a plain success");
        taken.Should().BeLessThanOrEqualTo(atTheEnd + 1, "one call may have been under way");
    });

    [Fact]
    public void Callback_ThatBlocksForEver_LetsTheEngineBeDisposed() => Guard.Run(() =>
    {
        using ManualResetEventSlim never = new();
        ProcessEngine engine = new();
        ProcessCommand command = TestPrograms.Quick("echo", "1", "sleep", "1000000") with
        {
            StandardOutput = OutputTarget.ToLines(_ => never.Wait()),
        };
        ChildProcess child = command.Start(engine);
        engine.Dispose();
        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        never.Set();
        Eventually.Is(() => engine.ThreadCount == 0, "a thread that comes back from a callback ends with its engine");
    });

    [Fact]
    public void Callback_ThatRunsAndWaitsForOtherChildren_Works() => Guard.Run(() =>
    {
        ConcurrentQueue<string> inner = [];
        ProcessCommand command = TestPrograms.Quick("seq", "1", "20") with
        {
            StandardOutput = OutputTarget.ToLines(line =>
                inner.Enqueue(
                    TestPrograms.Quick("echo", line.Content).Run().EnsureSuccess().StandardOutput.Text.TrimEnd())),
        };
        ChildProcess[] children = [.. Enumerable.Range(0, 5).Select(_ => command.Start())];
        Array.ForEach(children, child => child.Wait().EnsureSuccess());
        inner.Should().HaveCount(100);
        inner.Distinct().Should().HaveCount(20);
    });

    [Fact]
    public void Callback_ThatStopsItsOwnChild_Works() => Guard.Run(() =>
    {
        ChildProcess? child = null;
        using ManualResetEventSlim isKnown = new();
        ProcessCommand command = TestPrograms.Quick("yes") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                isKnown.Wait();
                child!.Kill();
            }),
        };
        child = command.Start();
        isKnown.Set();
        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void Callbacks_AreCalledOnDeliveryThreadsAlone() => Guard.Run(() =>
    {
        ConcurrentDictionary<string, bool> names = [];
        void Note() => names.TryAdd($"{Thread.CurrentThread.Name} {Thread.CurrentThread.IsThreadPoolThread}", true);
        using NotingStream stream = new(Note);
        ProcessCommand command = TestPrograms.Quick("stdin", "seq", "1", "10000", "seq-err", "1", "10000") with
        {
            StandardInput = InputSource.FromStream(stream),
            StandardOutput = OutputTarget.Tee(OutputTarget.ToLines(_ => Note()), OutputTarget.ToStream(stream)),
            StandardError = OutputTarget.ToBytes(_ => Note()),
        };
        for (int round = 0; round < 20; round++)
        {
            command.Run().EnsureSuccess();
        }

        names.Keys.Should().Equal("ProcessRunner delivery False");
    });

    [NativeBackend("the other threads of the portable backend end as well")]
    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void DeliveryThreads_ThatHaveNothingToDo_End() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        TestPrograms.Quick().Run(engine);
        int before = engine.ThreadCount;
        using CountdownEvent inside = new(20);
        using ManualResetEventSlim release = new();
        ProcessCommand command = TestPrograms.Quick("echo", "1") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                inside.Signal();
                release.Wait();
            }),
        };
        ChildProcess[] children = [.. Enumerable.Range(0, 20).Select(_ => command.Start(engine))];
        inside.Wait();
        engine.ThreadCount.Should().BeGreaterThanOrEqualTo(before + 19, "one was there");
        release.Set();
        Array.ForEach(children, child => child.Wait().EnsureSuccess());
        Eventually.Is(() => engine.ThreadCount == before, "idle delivery threads end");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Consumer_OfOneLineASecond_HoldsNobodyElseUp() => Guard.Run(() =>
    {
        int taken = 0;
        using ManualResetEventSlim isOver = new();
        ProcessCommand slow = TestPrograms.Quick("seq", "1", "99999999") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                taken++;
                isOver.Wait(TimeSpan.FromSeconds(1));
            }),
        };
        Stopwatch watch = Stopwatch.StartNew();
        using ChildProcess child = slow.Start();
        ProcessCommand fast = TestPrograms.Quick("seq", "1", "100");
        ChildProcess[] others = [.. Enumerable.Range(0, 500).Select(_ => fast.Start())];
        others.Should().OnlyContain(other => other.Wait().StandardOutput.TotalBytes == 292);
        child.IsRunning.Should().BeTrue();
        ((double)taken).Should().BeLessThanOrEqualTo(watch.Elapsed.TotalSeconds + 2);
        StreamingSupport.WrittenOnceBlocked(child.ProcessId).Should().BeLessThan(4 * 1024 * 1024);
        child.Kill();
        isOver.Set();
        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void ToBytes_OfManyChunks_AllocatesNothingPerChunk() => Guard.Run(() =>
    {
        // The code runs in the callback, on the delivery thread, from its second call to its last.
        int calls = 0;
        int thread = 0;
        long first = 0;
        long last = 0;
        ProcessCommand command = TestPrograms.Quick("zeros", "100000000") with
        {
            StandardOutput = OutputTarget.ToBytes(_ =>
            {
                if (Environment.CurrentManagedThreadId != thread || calls++ == 100)
                {
                    thread = Environment.CurrentManagedThreadId;
                    first = GC.GetAllocatedBytesForCurrentThread();
                    calls = 101;
                }

                last = GC.GetAllocatedBytesForCurrentThread();
            }),
        };
        command.Run();
        calls = 0;
        long before = GC.GetTotalAllocatedBytes(precise: true);
        command.Run().EnsureSuccess();
        long total = GC.GetTotalAllocatedBytes(precise: true) - before;
        (last - first).Should().BeLessThan(16 * 1024);
        total.Should().BeLessThan(10_000_000, "the buffers are rented, and the process has more to do than this");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Capture_InATeeWithAThrowingCallback_OfManyRuns_LeavesNoDescriptor() => Guard.Run(() =>
    {
        ProcessCommand command = NumberedLines.Command(1, 100_000) with
        {
            StandardOutput = OutputTarget.Tee(
                OutputTarget.Capture(), OutputTarget.ToBytes(_ => throw new InvalidTimeZoneException())),
        };
        StreamingSupport.Thrown(() => command.Run()).Should().BeOfType<InvalidTimeZoneException>();
        int handles = ProcFs.OpenDescriptors;
        for (int round = 0; round < 100; round++)
        {
            Exception exception = StreamingSupport.Thrown(() => command.Run())!;
            ProcessResult.Of(exception)!.StandardOutput.Bytes.Length.Should().Be(100_000);
        }

        Eventually.Is(() => ProcFs.OpenDescriptors <= handles, "no more descriptors are open than before");
    });

    private sealed class NotingStream(Action note) : System.IO.MemoryStream
    {
        public override int Read(Span<byte> buffer)
        {
            note();
            return 0;
        }

        public override void Write(ReadOnlySpan<byte> buffer) => note();

        public override void Flush() => note();
    }
}
