using System;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.StarvationTests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.StarvationTests;

/// <summary>
/// Covers "Async I/O and ThreadPool Deadlock (Part 4)" by Ashod Nakashian, 2013, https://blog.ashodnakashian.com. The
/// article: Run and Wait in one function deadlock again when ThreadPool workers call them. The tests: workers call both
/// in a pool that is limited to one worker per processor.
/// </summary>
public sealed class Article4PoolWorkersTests
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);
    private static readonly Payload s_payload = Payload.Of(64 * 1024);

    // More than there are workers in any case.
    private static readonly int s_some = int.Max(40, Crowd.Of(200));
    private static readonly int s_square = int.Max(64, Crowd.Of(256));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_thousand_children_finish_inside_the_workers_of_a_pinned_pool(bool blocksOnRunAsync) => Guard.Run(() =>
    {
        string?[] faults = new string?[Crowd.Of(1_000)];
        Func<string?> body = Body(blocksOnRunAsync);
        using PoolSettings pool = PoolSettings.Pinned();
        using CountdownEvent left = new(faults.Length);

        for (int i = 0; i < faults.Length; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                index =>
                {
                    faults[index] = body();
                    left.Signal();
                },
                i,
                preferLocal: false);
        }

        left.Wait();
        faults.Should().OnlyContain(fault => fault == null);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Children_finish_under_an_unlimited_loop_in_a_pinned_pool(bool blocksOnRunAsync) => Guard.Run(() =>
    {
        string?[] faults = new string?[s_some];
        Func<string?> body = Body(blocksOnRunAsync);
        using PoolSettings pool = PoolSettings.Pinned();

        Parallel.For(0, faults.Length, index => faults[index] = body());

        faults.Should().OnlyContain(fault => fault == null);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Children_finish_inside_a_task_whose_result_is_waited_for(bool blocksOnRunAsync) => Guard.Run(() =>
    {
        string?[] faults = new string?[s_some];
        using PoolSettings pool = PoolSettings.Pinned();

        PlainThreads.For(faults.Length, threadCount: 8, index =>
            faults[index] = Task.Run(Body(blocksOnRunAsync)).Result);

        faults.Should().OnlyContain(fault => fault == null);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Children_finish_inside_tasks_nested_two_deep(bool blocksOnRunAsync) => Guard.Run(() =>
    {
        string?[] faults = new string?[s_some];
        using PoolSettings pool = PoolSettings.Pinned();

        // Each level has its own child, which runs while the level below runs.
        PlainThreads.For(faults.Length, threadCount: 8, index =>
            faults[index] = Nested(blocksOnRunAsync, depth: 2));

        faults.Should().OnlyContain(fault => fault == null);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Children_finish_under_loops_nested_two_deep(bool blocksOnRunAsync) => Guard.Run(() =>
    {
        string?[] faults = new string?[s_square];
        using PoolSettings pool = PoolSettings.Free();

        RunNestedLoops(faults, Body(blocksOnRunAsync));

        faults.Should().OnlyContain(fault => fault == null);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Children_finish_under_loops_nested_two_deep_in_a_pinned_pool(bool blocksOnRunAsync) => Guard.Run(() =>
    {
        string?[] faults = new string?[s_square];
        Thread loops = new(() => RunNestedLoops(faults, Body(blocksOnRunAsync))) { IsBackground = true };
        bool ended;
        using (TaskBlocking.KeepQueuedWork())
        using (PoolSettings.Pinned())
        {
            loops.Start();
            ended = loops.Join(s_limit);
        }

        // Additional workers complete stuck work, so that no other test inherits it.
        using (PoolSettings.Free())
        {
            loops.Join();
        }

        ended.Should().BeTrue("a wait for a child must not take the loops' own work away from their workers");
        faults.Should().OnlyContain(fault => fault == null);
    });

    [Fact]
    public void Children_finish_when_plain_threads_block_on_asynchronous_runs() => Guard.Run(() =>
    {
        string?[] faults = new string?[s_some];
        using PoolSettings pool = PoolSettings.Pinned();

        PlainThreads.For(faults.Length, threadCount: 8, index =>
            faults[index] = s_payload.Fault(s_payload.Command().RunAsync().Result));

        faults.Should().OnlyContain(fault => fault == null);
    });

    private static void RunNestedLoops(string?[] faults, Func<string?> body)
    {
        int size = (int)Math.Sqrt(faults.Length);
        Parallel.For(0, size, row => Parallel.For(0, size, column => faults[(row * size) + column] = body()));
    }

    private static Func<string?> Body(bool blocksOnRunAsync) => blocksOnRunAsync ? BlockOnRunAsync : RunAndWait;

    private static string? RunAndWait()
    {
        using ProcessExecutor executor = new("writer", s_payload.Command());
        executor.Run();
        return executor.Wait(s_limit) ? s_payload.Fault(executor.Result) : "timeout";
    }

    private static string? BlockOnRunAsync() =>
        s_payload.Fault(s_payload.Command().RunAsync().Block());

    private static string? Nested(bool blocksOnRunAsync, int depth) => Task.Run(() =>
    {
        using ProcessExecutor executor = new("writer", s_payload.Command());
        Task<ProcessResult>? run = null;
        if (blocksOnRunAsync)
        {
            run = s_payload.Command().RunAsync();
        }
        else
        {
            executor.Run();
        }

        string? below = depth == 0 ? null : Nested(blocksOnRunAsync, depth - 1);
        bool inTime = run?.Wait(s_limit) ?? executor.Wait(s_limit);
        return below ?? (inTime ? s_payload.Fault(run?.Result ?? executor.Result) : "timeout");
    }).Result;
}
