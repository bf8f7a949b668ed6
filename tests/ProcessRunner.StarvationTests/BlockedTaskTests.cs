using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.StarvationTests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.StarvationTests;

/// <summary>
/// Verifies that every task of the library is completed by the thread that observes the awaited event, so that a thread
/// may block on it in any state of the ThreadPool.
/// </summary>
public sealed class BlockedTaskTests
{
    private const int Lines = 1_000;
    private static readonly int s_times = int.Max(6, Crowd.Of(24));
    private static readonly Payload s_payload = Payload.Of(100_000);
    private static readonly ProcessCommand s_sleep = TestPrograms.Quick("sleep", "1000000");
    private static readonly ProcessCommand s_numbers =
        TestPrograms.Quick("seq", "1", $"{Lines}") with { StandardOutput = OutputTarget.Live() };

    // Each function blocks on tasks of the library and returns a description of the fault, or null.
    private static readonly Dictionary<string, Func<string?>> s_roads = new()
    {
        ["RunAsync"] = () => s_payload.Fault(s_payload.Command().RunAsync().Block()),
        ["WaitAsync"] = WaitAsync,
        ["StopAsync, DisposeAsync"] = StopAndDispose,
        ["WaitAsync and DisposeAsync of an executor"] = RunExecutor,
        ["RunAsync of a missing program"] = FailToStart,
        ["RunAsync, canceled"] = Cancel,
        ["RunAsync of a pipeline"] = RunPipeline,
        ["RunAsync of a pipeline, canceled"] = CancelPipeline,
        ["asynchronous batch"] = RunBatch,
        ["asynchronous batch, left early"] = LeaveBatch,
        ["StandardInput"] = WriteInput,
        ["ReadLinesAsync"] = () => Count(child => child.ReadLinesAsync()),
        ["ReadLinesAsync with a token"] = () =>
        {
            using CancellationTokenSource source = new();
            return Count(child => child.ReadLinesAsync(cancellationToken: source.Token));
        },
        ["ReadAllAsync"] = () => Count(child => child.Lines.ReadAllAsync()),
        ["ReadAsync"] = ReadOneByOne,
        ["WaitToReadAsync with a token"] = WaitToRead,
        ["ReadLinesAsync, canceled"] = CancelLines,
        ["WaitForLineAsync"] = WaitForLine,
        ["WaitAllAsync"] = WaitAll,
        ["ReadEventsAsync"] = ReadEvents,
        ["RunAsync of a whole batch"] = RunWholeBatch,
        ["RunAsync of a pipeline with code"] = RunCode,
        ["WaitAsync, StopAsync and DisposeAsync of a running pipeline"] = WaitForPipeline,
        ["lines as the input"] = WriteLines,
    };

    public static TheoryData<string, string> Cases
    {
        get
        {
            TheoryData<string, string> cases = [];
            foreach (string road in s_roads.Keys)
            {
                foreach (string pool in (string[])["free", "pinned", "parked", "nested", "nested and pinned"])
                {
                    cases.Add(road, pool);
                }
            }

            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void A_thread_may_block_on_every_task(string road, string pool) => Guard.Run(() =>
    {
        string?[] faults = [.. Enumerable.Repeat("not run", s_times)];

        BlockIn(pool, index => faults[index] = s_roads[road]());

        faults.Should().OnlyContain(fault => fault == null);
    });

    private static void BlockIn(string pool, Action<int> body)
    {
        switch (pool)
        {
            case "free":
                Parallel.For(0, s_times, body);
                break;

            case "pinned":
                using (PoolSettings.Pinned())
                {
                    Parallel.For(0, s_times, body);
                }

                break;

            case "nested":
                RunNestedLoops(body);
                break;

            case "nested and pinned":
                using (PoolSettings.Pinned())
                using (TaskBlocking.KeepQueuedWork())
                {
                    RunNestedLoops(body);
                }

                break;

            default:
                using (ParkedPool parked = new())
                {
                    PlainThreads.For(s_times, threadCount: 8, body);
                    parked.IsParked.Should().BeTrue();
                }

                break;
        }
    }

    // The inner loops outnumber the workers of a pinned pool.
    private static void RunNestedLoops(Action<int> body)
    {
        const int Rows = 6;
        int columns = s_times / Rows;
        Parallel.For(0, Rows, row => Parallel.For(0, columns, column => body((row * columns) + column)));
    }

    private static string? WaitAsync()
    {
        using ChildProcess child = s_payload.Command().Start();
        return s_payload.Fault(child.WaitAsync().Block());
    }

    private static string? WaitAll()
    {
        using ProcessExecutor first = new("first", s_payload.Command());
        using ProcessExecutor second = new("second", s_sleep);
        first.Run();
        second.Run();
        second.RequestStop();
        bool isInTime = ProcessExecutor.WaitAllAsync([first, second], TimeSpan.FromHours(1)).Block();
        return isInTime ? s_payload.Fault(first.Result) : "timeout";
    }

    private static string? WaitForLine()
    {
        using ChildProcess child = s_numbers.Start();
        OutputLine last =
            child.WaitForLineAsync(line => line.Content == $"{Lines}", Timeout.InfiniteTimeSpan).Block();
        return last.Content == $"{Lines}" ? null : last.Content;
    }

    private static string? StopAndDispose()
    {
        ChildProcess stopped = s_sleep.Start();
        ChildProcess disposed = s_sleep.Start();
        ProcessResult result = stopped.StopAsync().Block();
        disposed.DisposeAsync().AsTask().Block();
        bool areStopped = (result.StoppedBy, disposed.Wait().StoppedBy) == (StopCause.Request, StopCause.Dispose);
        return areStopped ? null : $"{result}";
    }

    private static string? RunExecutor()
    {
        ProcessExecutor executor = new("writer", s_payload.Command());
        executor.Run();
        string? fault = s_payload.Fault(executor.WaitAsync().Block());
        ProcessExecutor sleeper = new("sleeper", s_sleep);
        sleeper.Run();
        sleeper.DisposeAsync().AsTask().Block();
        executor.DisposeAsync().AsTask().Block();
        return fault ?? (sleeper.Result.StoppedBy == StopCause.Dispose ? null : $"{sleeper.Result}");
    }

    private static string? ReadEvents()
    {
        using ChildProcess child = s_numbers.Start();
        IAsyncEnumerator<ChildEvent> events = child.ReadEventsAsync().GetAsyncEnumerator();
        int count = 0;
        while (events.MoveNextAsync().AsTask().Block())
        {
            count++;
        }

        events.DisposeAsync().AsTask().Block();
        bool isWhole = count == Lines + 2 && events.Current is ChildExited { Result.IsSuccess: true };
        return isWhole ? null : $"{count}, {events.Current}";
    }

    private static string? RunWholeBatch()
    {
        BatchSummary summary = ProcessBatch.RunAsync(
            Enumerable.Repeat(s_payload.Command(), 3), new BatchOptions { MaxConcurrency = 2 }).Block();
        return summary.Results.Select(result => s_payload.Fault(result.EnsureSuccess()))
            .FirstOrDefault(fault => fault is not null) ?? (summary.Passed == 3 ? null : $"{summary}");
    }

    private static string? RunCode()
    {
        ProcessPipeline pipeline = s_payload.Command().PipeThrough(
            (input, output, _) =>
            {
                input.CopyTo(output);
                return Task.CompletedTask;
            },
            TestPrograms.Quick("stdin"));
        PipelineResult result = pipeline.RunAsync().Block();
        return result.IsSuccess && result.StandardOutput.TotalBytes == s_payload.ByteCount ? null : $"{result}";
    }

    private static string? WaitForPipeline()
    {
        RunningPipeline ending = s_payload.Command().PipeTo(TestPrograms.Quick("stdin")).Start();
        RunningPipeline stopped = s_sleep.PipeTo(s_sleep).Start();
        PipelineResult result = ending.WaitAsync().Block();
        bool isStopped = stopped.StopAsync().Block().Stages.All(stage => stage.StoppedBy == StopCause.Request);
        ending.DisposeAsync().AsTask().Block();
        return isStopped && result.StandardOutput.TotalBytes == s_payload.ByteCount ? null : $"{result}";
    }

    private static string? WriteLines()
    {
        string[] lines = [.. Enumerable.Range(0, Lines).Select(i => $"{i}")];
        ProcessCommand command = TestPrograms.Quick("stdin") with { StandardInput = InputSource.FromLines(lines) };
        ProcessResult result = command.RunAsync().Block();
        return result.StandardOutput.Lines().SequenceEqual(lines) ? null : $"{result}";
    }

    private static string? FailToStart()
    {
        Task<ProcessResult> run = new ProcessCommand("/no/such/program").RunAsync();
        return Thrown(() => run.Block()) is ProcessStartException ? null : "no error";
    }

    private static string? Cancel()
    {
        using CancellationTokenSource source = new();
        Task<ProcessResult> run = s_sleep.RunAsync(source.Token);
        source.Cancel();
        return Thrown(() => run.Block()) is OperationCanceledException ? null : "no error";
    }

    private static string? RunPipeline()
    {
        ProcessPipeline pipeline = s_payload.Command().PipeTo(TestPrograms.Quick("stdin"));
        PipelineResult result = pipeline.RunAsync().Block();
        return result.IsSuccess && result.StandardOutput.TotalBytes == s_payload.ByteCount ? null : $"{result}";
    }

    private static string? CancelPipeline()
    {
        using CancellationTokenSource source = new();
        Task<PipelineResult> run = s_sleep.PipeTo(s_sleep).RunAsync(cancellationToken: source.Token);
        source.Cancel();
        return Thrown(() => run.Block()) is OperationCanceledException ? null : "no error";
    }

    private static string? RunBatch()
    {
        IAsyncEnumerator<BatchResult> results = ProcessBatch
            .EnumerateAsync(Enumerable.Repeat(s_payload.Command(), 3), new BatchOptions { MaxConcurrency = 2 })
            .GetAsyncEnumerator();
        string? fault = null;
        int count = 0;
        while (results.MoveNextAsync().AsTask().Block())
        {
            fault ??= s_payload.Fault(results.Current.EnsureSuccess());
            count++;
        }

        results.DisposeAsync().AsTask().Block();
        return fault ?? (count == 3 ? null : $"{count} results");
    }

    private static string? LeaveBatch()
    {
        AsyncBatchResults batch = ProcessBatch.EnumerateAsync(
            [TestPrograms.Quick(), s_sleep], new BatchOptions { MaxConcurrency = 2 });
        IAsyncEnumerator<BatchResult> results = batch.GetAsyncEnumerator();
        bool hasFirst = results.MoveNextAsync().AsTask().Block();
        results.DisposeAsync().AsTask().Block();
        bool isOver = hasFirst && batch.StoppedBy == StopCause.Dispose && batch.Progress.Running == 0;
        return isOver ? null : $"{batch.StoppedBy}";
    }

    private static string? WriteInput()
    {
        const int Size = 300_000;
        using ChildProcess child =
            (TestPrograms.Quick("stdin-length") with { StandardInput = InputSource.Pipe }).Start();
        using MemoryStream source = new(new byte[Size]);
        child.StandardInput.WriteAsync(new byte[Size]).AsTask().Block();
        source.CopyToAsync(child.StandardInput).Block();
        child.StandardInput.FlushAsync().Block();
        child.StandardInput.DisposeAsync().AsTask().Block();
        string text = child.WaitAsync().Block().StandardOutput.Text.Trim();
        return text == $"{2 * Size}" ? null : text;
    }

    private static string? Count(Func<ChildProcess, IAsyncEnumerable<OutputLine>> read)
    {
        using ChildProcess child = s_numbers.Start();
        IAsyncEnumerator<OutputLine> lines = read(child).GetAsyncEnumerator();
        int count = 0;
        while (lines.MoveNextAsync().AsTask().Block())
        {
            count += IsLine(lines.Current, count + 1) ? 1 : -Lines;
        }

        lines.DisposeAsync().AsTask().Block();
        return Fault(child, count);
    }

    private static string? ReadOneByOne()
    {
        using ChildProcess child = s_numbers.Start();
        int count = 0;
        while (count >= 0 && count < Lines)
        {
            OutputLine line = child.Lines.ReadAsync().AsTask().Block();
            count += IsLine(line, count + 1) ? 1 : -Lines;
        }

        return Thrown(() => child.Lines.ReadAsync().AsTask().Block()) is ChannelClosedException
            ? Fault(child, count)
            : "no end";
    }

    private static string? WaitToRead()
    {
        using CancellationTokenSource source = new();
        using ChildProcess child = s_numbers.Start();
        int count = 0;
        while (child.Lines.WaitToReadAsync(source.Token).AsTask().Block())
        {
            while (child.Lines.TryRead(out OutputLine line))
            {
                count += IsLine(line, count + 1) ? 1 : -Lines;
            }
        }

        return Fault(child, count);
    }

    private static string? CancelLines()
    {
        using CancellationTokenSource source = new();
        using ChildProcess child = (s_sleep with { StandardOutput = OutputTarget.Live() }).Start();
        IAsyncEnumerator<OutputLine> lines = child.ReadLinesAsync(cancellationToken: source.Token).GetAsyncEnumerator();
        Task<bool> next = lines.MoveNextAsync().AsTask();
        source.Cancel();
        return Thrown(() => next.Block()) is OperationCanceledException
            && child.WaitAsync().Block().StoppedBy == StopCause.Request
            ? null
            : "not canceled";
    }

    private static bool IsLine(OutputLine line, int number) =>
        line.Content == number.ToString(CultureInfo.InvariantCulture);

    private static string? Fault(ChildProcess child, int count)
    {
        ProcessResult result = child.WaitAsync().Block();
        return result.IsSuccess && count == Lines ? null : $"{result}, {count} lines";
    }

    private static Exception? Thrown(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }
}
