using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.StarvationTests;

/// <summary>Verifies that the number of the engine's threads does not depend on the number of live children.</summary>
[OnlyOn(Systems.Linux, "the kernel tells the names of threads")]
public sealed class EngineThreadTests
{
    // The kernel keeps the first 15 characters of "ProcessRunner I/O n".
    private const string IoThreads = "ProcessRunner I";

    // The I/O threads, the thread that surveys the process table, and the first delivery thread.
    private const string AllThreads = "ProcessRunner ";

    // The delivery threads. All but the first end after some idle time.
    private const string DeliveryThreads = "ProcessRunner d";

    // The watchdog thread exists from the first batch on.
    private const string WatchdogThread = "ProcessRunner w";

    // These threads belong to no engine. They exist while a child lives or is started, and a moment longer.
    private const string HostEndThread = "ProcessRunner h";
    private const string LaunchesThread = "ProcessRunner l";

    [Fact]
    public void Five_hundred_sleeping_children_need_no_further_thread() => Guard.Run(() =>
    {
        const int Sleepers = 500;
        OnlySharedEngineRuns();
        int before = Count(IoThreads);
        int watchdogs = Count(WatchdogThread);
        int allBefore = CountAll();

        List<ChildProcess> children =
            [.. Enumerable.Range(0, Sleepers).Select(_ => TestPrograms.Quick("sleep", "100000").Start())];
        int live = ProcessEngine.Shared.LiveChildren;
        int during = Count(IoThreads);
        int allDuring = CountAll();
        int allExpected = ProcessEngine.Shared.ThreadCount;
        children.ForEach(child => child.Kill());
        children.ForEach(child => child.Wait());

        live.Should().Be(Sleepers);
        before.Should().Be(int.Min(Environment.ProcessorCount, 4));
        during.Should().Be(before);
        watchdogs.Should().BeLessThanOrEqualTo(1, "a batch of another test may have started it");
        allBefore.Should().Be(before + watchdogs + 2);
        allDuring.Should().Be(allExpected).And.Be(allBefore);
        CountAll().Should().Be(ProcessEngine.Shared.ThreadCount).And.Be(allBefore);
        ProcessEngine.Shared.LiveChildren.Should().Be(0);
    });

    [Fact]
    public void An_engine_has_as_many_threads_as_it_is_told_until_it_is_disposed() => Guard.Run(() =>
    {
        OnlySharedEngineRuns();
        int before = CountAll();
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 7 });
        engine.ThreadCount.Should().Be(0);
        TestPrograms.Quick().Run(engine);

        engine.ThreadCount.Should().Be(7 + 2, "one looks for descendants, and one is there for callbacks");
        CountAll().Should().Be(before + 9);

        engine.Dispose();
        Eventually.Is(() => CountAll() == before, "the threads of the disposed engine are gone");
        engine.ThreadCount.Should().Be(0);
    });

    // The kernel needs a moment to remove the threads of an engine that another test has disposed.
    private static void OnlySharedEngineRuns()
    {
        TestPrograms.Quick().Run();
        Eventually.Is(
            () => Count(DeliveryThreads) == 1 && CountAll() == ProcessEngine.Shared.ThreadCount,
            "only the shared engine has threads");
    }

    private static int CountAll() => ProcFs.ThreadNames.Count(
        name => Has(name, AllThreads) && !Has(name, HostEndThread) && !Has(name, LaunchesThread));

    private static int Count(string prefix) => ProcFs.ThreadNames.Count(name => Has(name, prefix));

    private static bool Has(string name, string prefix) => name.StartsWith(prefix, StringComparison.Ordinal);
}
