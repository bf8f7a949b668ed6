using System;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Engines;

[Collection(Alone.Name)]
public sealed class EngineDisposeTests
{
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");

    // The kernel keeps 15 characters of a thread's name, and a thread of an earlier test for a moment after its end.
    private static string[] ReactorThreads =>
    [
        .. ProcFs.Threads.Where(thread => thread.Name.StartsWith("ProcessRunner I", StringComparison.Ordinal))
            .Select(thread => thread.Id),
    ];

    [NativeBackend("the portable backend has no reactors")]
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_KillsChildrenEndsThreadsAndClosesDescriptors() => Guard.Run(() =>
    {
        s_sleeper.Start().Dispose();
        string[] threads = ReactorThreads;
        int descriptors = ProcFs.OpenDescriptors;
        ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 5 });
        ChildProcess[] children = [.. Enumerable.Range(0, 20).Select(_ => s_sleeper.Start(engine))];
        Eventually.Is(() => ReactorThreads.Except(threads).Count() == 5, "each reactor has a thread");
        engine.Dispose();
        children.Should().OnlyContain(child => !child.IsRunning);
        children.Select(child => child.Wait().Outcome)
            .Should().OnlyContain(outcome => outcome == ProcessOutcome.Canceled);
        ProcFs.Children.Should().BeEmpty();
        Eventually.Is(() => ProcFs.OpenDescriptors <= descriptors, "no more descriptors are open than before");
        Eventually.Is(() => !ReactorThreads.Except(threads).Any(), "the threads are gone");
        (engine.ThreadCount, engine.LiveChildren, engine.StartedChildren).Should().Be((0, 0, 20L));
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void ManyEngines_OneAfterTheOther_LeaveNothing() => Guard.Run(() =>
    {
        s_sleeper.Start().Dispose();
        string[] threads = ReactorThreads;
        int descriptors = ProcFs.OpenDescriptors;
        for (int i = 0; i < 50; i++)
        {
            using ProcessEngine engine = new();
            ChildProcess running = s_sleeper.Start(engine);
            TestPrograms.Quick("echo", "text").Run(engine).StandardOutput.Text.Should().Be("text\n");
            running.IsRunning.Should().BeTrue();
        }

        Eventually.Is(() => ProcFs.OpenDescriptors <= descriptors, "no more descriptors are open than before");
        ProcFs.Children.Should().BeEmpty();
        Eventually.Is(() => !ReactorThreads.Except(threads).Any(), "the threads are gone");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_OfEngineThatNeverRan_StartsNothing() => Guard.Run(() =>
    {
        string[] threads = ReactorThreads;
        ProcessEngine engine = new();
        engine.Dispose();
        engine.Dispose();
        ReactorThreads.Except(threads).Should().BeEmpty();
    });

    [Fact]
    public void Dispose_BesideAnotherDispose_WaitsForTheChildrenAsWell() => Guard.Run(() =>
    {
        ProcessEngine engine = new();
        using ChildProcess child = s_sleeper.Start(engine);
        Thread first = new(engine.Dispose);
        bool? isRunning = null;
        Thread second = new(() =>
        {
            engine.Dispose();
            isRunning = child.IsRunning;
        });

        // The first one cannot kill the child as long as the test has its gate.
        lock (Internals.ChildOf(child))
        {
            first.Start();
            Eventually.Is(() => engine.ThreadCount == 0, "the first one is under way");
            second.Start();
            Eventually.Is(
                () => (second.ThreadState & (ThreadState.WaitSleepJoin | ThreadState.Stopped)) != 0,
                "the second one waits, or does not");
        }

        second.Join();
        isRunning.Should().BeFalse();
        first.Join();
    });

    [Fact]
    public void Dispose_InACallbackBesideAnotherDispose_EndsAsWell() => Guard.Run(() =>
    {
        ProcessEngine engine = new();
        using ManualResetEventSlim called = new();
        using ManualResetEventSlim returned = new();
        ProcessCommand command = TestPrograms.Quick("echo", "1", "sleep", "1000000") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                called.Set();
                engine.Dispose();
                returned.Set();
            }),
        };
        using ChildProcess child = command.Start(engine);
        called.Wait();
        engine.Dispose();
        returned.Wait();
        child.Wait().StoppedBy.Should().Be(StopCause.EngineDispose);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Start_AfterDispose_Throws(bool hasRun) => Guard.Run(() =>
    {
        ProcessEngine engine = new();
        if (hasRun)
        {
            TestPrograms.Quick().Run(engine);
        }

        engine.Dispose();
        using ProcessExecutor executor = new("true", TestPrograms.Quick(), engine);
        ProcessCommand command = TestPrograms.Quick();
        FluentActions.Invoking(() => command.Start(engine)).Should().ThrowExactly<ObjectDisposedException>();
        FluentActions.Invoking(() => command.Run(engine)).Should().ThrowExactly<ObjectDisposedException>();
        FluentActions.Invoking(() => command.RunAsync(engine).GetAwaiter().GetResult())
            .Should().ThrowExactly<ObjectDisposedException>();
        FluentActions.Invoking(() => executor.Run()).Should().ThrowExactly<ObjectDisposedException>();
    });

    [Fact]
    public void SharedEngine_RefusesDisposeAndWorksOn() => Guard.Run(() =>
    {
        FluentActions.Invoking(ProcessEngine.Shared.Dispose).Should().ThrowExactly<InvalidOperationException>();
        TestPrograms.Quick().Run(ProcessEngine.Shared).ExitCode.Should().Be(0);
    });
}
