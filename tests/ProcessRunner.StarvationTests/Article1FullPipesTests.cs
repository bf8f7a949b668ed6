using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.StarvationTests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.StarvationTests;

/// <summary>
/// Covers "Async I/O and ThreadPool Deadlock (Part 1)" by Ashod Nakashian, 2013, https://blog.ashodnakashian.com. The
/// article: reading one stream to its end deadlocks once the other pipe is full. The tests: every byte arrives in
/// either order, no output is lost after a fast exit, and a limit bounds the whole wait.
/// </summary>
public sealed class Article1FullPipesTests
{
    private const int TenMillion = 10_000_000;
    private static readonly TimeSpan s_limit = TimeSpan.FromMilliseconds(300);

    [Theory]
    [InlineData("fill", "fill-err")]
    [InlineData("fill-err", "fill")]
    public void Ten_million_bytes_on_each_stream_arrive_in_either_order(string first, string second) => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("filler", TestPrograms.Child(first, "10000000", second, "10000000"));
        executor.Run();

        executor.Wait(TimeSpan.FromSeconds(60)).Should().BeTrue();

        TestChildText.Fault(executor.Result, TenMillion, TenMillion).Should().BeNull();
    });

    [Theory]
    [InlineData("fill", "fill-err")]
    [InlineData("fill-err", "fill")]
    public void Ten_million_bytes_on_each_stream_arrive_where_a_thread_blocks_on_RunAsync(
        string first, string second) =>
        Guard.Run(() =>
        {
            ProcessCommand filler = TestPrograms.Child(first, "10000000", second, "10000000");
            TestChildText.Fault(filler.RunAsync().GetAwaiter().GetResult(), TenMillion, TenMillion).Should().BeNull();
        });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells where a thread sleeps")]
    public void One_stream_after_the_other_deadlocks() => Guard.Run(() =>
    {
        using Process process = PlainProcess.Start(TestPrograms.Child("fill-err", "10000000", "fill", "10000000"));
        (string Output, string Error) read = ("", "");
        Thread reader = new(() => read = PlainProcess.ReadOneAfterTheOther(process))
        {
            Name = "first way",
            IsBackground = true,
        };
        reader.Start();

        try
        {
            // No other thread reads the one pipe and no other process writes the other pipe, so this state never ends.
            Eventually.Is(
                () => Blocked.InPipeWrite(process.Id) && Blocked.InPipeRead(reader),
                "the child waits for a reader of its error, and the reader for the output that comes after it");
            long written = Blocked.BytesWritten(process.Id);
            reader.Join(TimeSpan.FromMilliseconds(500)).Should().BeFalse();
            Blocked.BytesWritten(process.Id).Should().Be(written).And.BeLessThan(TenMillion);
            Blocked.InPipeWrite(process.Id).Should().BeTrue();
            Blocked.InPipeRead(reader).Should().BeTrue();
        }
        finally
        {
            process.Kill();
            reader.Join();
        }

        read.Output.Should().BeEmpty();
        read.Error.Length.Should().BeInRange(1, TenMillion - 1);
    });

    [Theory]
    [InlineData("fill", "fill-err")]
    [InlineData("fill-err", "fill")]
    public void Events_and_tasks_of_a_plain_process_suffice_for_one_child(
        string first, string second) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Child(first, "1000000", second, "1000000");
        using Process byEvents = PlainProcess.Start(command);
        using Process byTasks = PlainProcess.Start(command);

        (string Output, string Error) events = PlainProcess.ReadByEvents(byEvents);
        (string Output, string Error) tasks = PlainProcess.ReadByTasks(byTasks);

        tasks.Output.Length.Should().Be(1_000_000);
        tasks.Error.Length.Should().Be(1_000_000);
        events.Output.TrimEnd('\n').Should().Be(tasks.Output.TrimEnd('\n'));
        events.Error.TrimEnd('\n').Should().Be(tasks.Error.TrimEnd('\n'));
    });

    [Theory]
    [InlineData(10_000, false)]
    [InlineData(2_000, true)]
    public void Every_byte_of_thousands_of_fast_exiting_children_is_there_when_the_wait_returns(
        int children, bool blocksOnRunAsync) => Guard.Run(() =>
    {
        int crowd = Crowd.Of(children);
        int complete = 0;

        PlainThreads.For(crowd, threadCount: 8, index =>
        {
            ProcessResult? result = blocksOnRunAsync
                ? RunBlocked(TestPrograms.Quick(Words(index)))
                : RunAndWait(TestPrograms.Quick(Words(index)));
            if (result is { IsSuccess: true }
                && result.StandardOutput.Text == $"o{index}"
                && result.StandardError.Text == $"e{index}")
            {
                Interlocked.Increment(ref complete);
            }
        });

        complete.Should().Be(crowd);

        static string[] Words(int index) => ["print", $"o{index}", "print-err", $"e{index}"];

        static ProcessResult? RunBlocked(ProcessCommand command)
        {
            Task<ProcessResult> run = command.RunAsync();
            return run.Wait(TimeSpan.FromSeconds(60)) ? run.Result : null;
        }

        static ProcessResult? RunAndWait(ProcessCommand command)
        {
            using ProcessExecutor executor = new("printer", command);
            executor.Run();
            return executor.Wait(TimeSpan.FromSeconds(60)) ? executor.Result : null;
        }
    });

    [Theory]
    [InlineData("sleep 1000 & sleep 1000")]
    [InlineData("sleep 1000 >/dev/null 2>&1 & exec sleep 1000")]
    [InlineData("trap '' TERM INT HUP; while :; do sleep 1; done")]
    [OnlyOn(Systems.Linux, "process groups and /proc")]
    public void A_limit_bounds_the_whole_wait_and_kills_the_group_and_keeps_the_output(string script) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell($"printf kept; printf kept-err >&2; rm \"$1\"; {script}");
        string marker = Path.GetTempFileName();
        using ProcessExecutor executor = new("sleeper", command);
        executor.Run(marker);
        Eventually.Is(() => !File.Exists(marker), "the child has written");
        executor.Wait(s_limit).Should().BeFalse();

        ProcessResult result = executor.Result;
        result.Outcome.Should().Be(ProcessOutcome.TimedOut);
        result.StandardOutput.Text.Should().Be("kept");
        result.StandardError.Text.Should().Be("kept-err");
        ProcFs.IsAlive(result.ProcessId).Should().BeFalse();
        Eventually.Is(() => ProcFs.LiveMembers(result.ProcessId).Count == 0, "the signal has ended the whole group");
    });

    [Fact]
    public void A_limit_bounds_the_whole_wait_and_kills_the_descendants_and_keeps_the_output() => Guard.Run(() =>
    {
        string marker = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        string[] sleep = ["sleep", "1000000"];
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick(
            ["print", "kept", "print-err", "kept-err", "spawn", "touch", marker, .. sleep, "end", .. sleep]));
        executor.Run();
        Eventually.Is(() => File.Exists(marker), "the child has written, and its child runs");
        executor.Wait(s_limit).Should().BeFalse();

        ProcessResult result = executor.Result;
        result.Outcome.Should().Be(ProcessOutcome.TimedOut);
        result.StandardOutput.Text.Should().Be("kept");
        result.StandardError.Text.Should().Be("kept-err");
        result.StandardOutput.IsHeldOpen.Should().BeFalse();
        ProcFs.IsAlive(result.ProcessId).Should().BeFalse();
        int grandchild = int.Parse(File.ReadAllText(marker), CultureInfo.InvariantCulture);
        Eventually.Is(() => !ProcFs.IsAlive(grandchild), "the limit has ended the descendant, too");
        File.Delete(marker);
    });

    [Fact]
    public void A_limit_bounds_the_wait_for_a_child_that_never_stops_writing() => Guard.Run(() =>
    {
        string marker = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        using ProcessExecutor executor = new("writer", TestPrograms.Quick("echo", "", "touch", marker));
        executor.Run("write-forever", "1");
        Eventually.Is(() => File.Exists(marker), "the child has written");
        executor.Wait(s_limit).Should().BeFalse();
        executor.Result.Outcome.Should().Be(ProcessOutcome.TimedOut);
        executor.Result.StandardOutput.TotalBytes.Should().BePositive();
        executor.Result.StandardOutput.IsHeldOpen.Should().BeFalse();
        ProcFs.IsAlive(executor.Result.ProcessId).Should().BeFalse();
        File.Delete(marker);
    });
}
