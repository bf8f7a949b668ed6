using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.StarvationTests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.StarvationTests;

/// <summary>
/// Verifies that streams are read and children are waited for, whether or not the pool has a free worker.
/// </summary>
public sealed class StreamCallingPatternTests
{
    private const int Lines = 20_000;
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);
    private static readonly Payload s_payload = Payload.Of(64 * 1024);
    private static readonly ProcessCommand s_live =
        TestPrograms.Quick("seq", "1", $"{Lines}") with { StandardOutput = OutputTarget.Live() };

    [Theory]
    [InlineData(CapturePolicy.KeepHead)]
    [InlineData(CapturePolicy.SpillToFile)]
    public void Captured_output_can_be_read_asynchronously_while_every_worker_is_parked(
        CapturePolicy policy) => Guard.Run(() =>
    {
        const int Size = 3_000_000;
        using ParkedPool pool = new();
        ProcessCommand command = TestPrograms.Quick("zeros", $"{Size}") with
        {
            StandardOutput = OutputTarget.Capture(policy == CapturePolicy.SpillToFile ? 100_000 : Size, policy),
        };
        CapturedOutput output = command.Run().EnsureSuccess().StandardOutput;
        output.IsSpilled.Should().Be(policy == CapturePolicy.SpillToFile);
        PlainThreads.For(4, threadCount: 2, _ =>
        {
            using Stream stream = output.OpenRead();
            byte[] chunk = new byte[100_001];
            int total = 0;
            int count;
            while ((count = stream.ReadAsync(chunk).AsTask().GetAwaiter().GetResult()) > 0)
            {
                total += count;
            }

            total.Should().Be(Size);
            using MemoryStream copy = new();
            stream.Position = 0;
            stream.CopyToAsync(copy).GetAwaiter().GetResult();
            copy.Length.Should().Be(Size);
        });
        pool.IsParked.Should().BeTrue();
    });

    [Fact]
    public void Live_lines_of_many_children_reach_plain_threads_while_every_worker_is_parked() => Guard.Run(() =>
    {
        int[] counts = new int[40];
        using ParkedPool pool = new();

        PlainThreads.For(counts.Length, threadCount: 8, index => counts[index] = CountLines());

        counts.Should().OnlyContain(count => count == Lines);
        pool.IsParked.Should().BeTrue();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Live_lines_reach_all_workers_of_a_pinned_pool_at_once() => Guard.Run(() =>
    {
        int[] counts = new int[40];
        using PoolSettings pool = PoolSettings.Pinned();
        using CountdownEvent left = new(counts.Length);
        for (int i = 0; i < counts.Length; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                index =>
                {
                    counts[index] = CountLines();
                    left.Signal();
                },
                i,
                preferLocal: false);
        }

        left.Wait();
        counts.Should().OnlyContain(count => count == Lines);
    });

    [Fact]
    public void Live_lines_are_read_under_a_parallel_loop_in_a_pinned_pool() => Guard.Run(() =>
    {
        int[] counts = new int[40];
        using PoolSettings pool = PoolSettings.Pinned();

        Parallel.For(0, counts.Length, index => counts[index] = CountLines());

        counts.Should().OnlyContain(count => count == Lines);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [OnlyOn(Systems.Unix, "signals")]
    public void The_body_of_a_parallel_loop_can_wait_for_its_children_while_every_worker_is_parked(
        bool blocksOnRunAsync) => Guard.Run(() =>
    {
        // The loop body on the caller's thread needs no worker. The continuation and the end of the loop do.
        string?[] faults = [.. Enumerable.Repeat("not run", 50)];
        using CountdownEvent left = new(1);
        Thread loop = new(() => Parallel.ForEach([0], _ =>
        {
            for (int i = 0; i < faults.Length; i++)
            {
                faults[i] = blocksOnRunAsync
                    ? s_payload.Fault(s_payload.Command().RunAsync().GetAwaiter().GetResult())
                    : RunAndWait();
            }

            left.Signal();
        }))
        {
            IsBackground = true,
        };
        using (ParkedPool pool = new())
        {
            loop.Start();
            left.Wait();
            pool.IsParked.Should().BeTrue();
        }

        loop.Join();
        faults.Should().OnlyContain(fault => fault == null);
    });

    [Fact]
    public void Callbacks_that_wait_for_other_children_work_while_every_worker_is_parked() => Guard.Run(() =>
    {
        int waited = 0;
        using ParkedPool pool = new();
        ProcessCommand inner =
            TestPrograms.Quick("seq", "1", "20000") with { StandardOutput = OutputTarget.ToBytes(_ => { }) };
        ProcessCommand outer = TestPrograms.Quick("seq", "1", "10") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                using ChildProcess child = inner.Start();
                child.Wait().EnsureSuccess();
                Interlocked.Increment(ref waited);
            }),
        };
        ChildProcess[] children = [.. Enumerable.Range(0, 10).Select(_ => outer.Start())];

        Array.ForEach(children, child => child.Wait().EnsureSuccess());

        waited.Should().Be(100);
        pool.IsParked.Should().BeTrue();
    });

    [Fact]
    public void Overlapping_writes_complete_in_order_while_every_worker_is_parked() => Guard.Run(() =>
    {
        using ParkedPool pool = new();
        using CancellationTokenSource source = new();
        using ChildProcess child =
            (TestPrograms.Quick("stdin-length") with { StandardInput = InputSource.Pipe }).Start();
        Task[] writes =
            [
                .. Enumerable.Range(0, 50).Select(_ =>
                    child.StandardInput.WriteAsync(new byte[100_000], source.Token).AsTask()),
            ];
        child.StandardInput.Close();
        Array.ForEach(writes, write => write.GetAwaiter().GetResult());
        child.Wait().EnsureSuccess().StandardOutput.Text.Trim().Should().Be("5000000");
        pool.IsParked.Should().BeTrue();
    });

    private static string? RunAndWait()
    {
        using ProcessExecutor executor = new("writer", s_payload.Command());
        executor.Run();
        return executor.Wait(s_limit) ? s_payload.Fault(executor.Result) : "timeout";
    }

    private static int CountLines()
    {
        using ChildProcess child = s_live.Start();
        int count = child.ReadLines().Count();
        child.Wait().EnsureSuccess();
        return count;
    }
}
