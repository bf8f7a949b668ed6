using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.StarvationTests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.StarvationTests;

/// <summary>Verifies that two thousand runs leave nothing behind in this process or in the process table.</summary>
[OnlyOn(Systems.Linux, "the kernel tells the descriptors, threads and children of a process")]
public sealed class LeakTests
{
    private const int Runs = 2_000;
    private static readonly Payload s_payload = Payload.Of(1_000);

    [Fact]
    public void Descriptors_threads_and_children_are_as_many_as_before() => Guard.Run(() =>
    {
        RunMany(100);
        Garbage.LetGo();
        int descriptors = ProcFs.OpenDescriptors;
        IReadOnlyList<string> threads = ThreadsOutsidePool();
        IReadOnlyList<ProcessEntry> children = ProcFs.Children;

        RunMany(Runs);

        ShouldHaveNoMoreThreadsThan(threads);
        Eventually.Is(() => ProcFs.OpenDescriptors <= descriptors, "no more descriptors are open than before");
        ProcFs.Children.Should().BeEquivalentTo(children);
        ProcessEngine.Shared.LiveChildren.Should().Be(0);
    });

    [Fact]
    public void An_engine_of_its_own_leaves_nothing_behind() => Guard.Run(() =>
    {
        UseEngine();
        Garbage.LetGo();
        int descriptors = ProcFs.OpenDescriptors;
        IReadOnlyList<string> threads = ThreadsOutsidePool();
        IReadOnlyList<ProcessEntry> children = ProcFs.Children;

        for (int i = 0; i < 20; i++)
        {
            UseEngine();
        }

        ShouldHaveNoMoreThreadsThan(threads);
        Eventually.Is(() => ProcFs.OpenDescriptors <= descriptors, "no more descriptors are open than before");
        ProcFs.Children.Should().BeEquivalentTo(children);
    });

    [Fact]
    public void Thousands_of_children_of_batches_leave_nothing_behind() => Guard.Run(() =>
    {
        RunBatches(500);
        Garbage.LetGo();
        int descriptors = ProcFs.OpenDescriptors;
        IReadOnlyList<string> threads = ThreadsOutsidePool();
        IReadOnlyList<ProcessEntry> children = ProcFs.Children;

        RunBatches(5_000);

        ShouldHaveNoMoreThreadsThan(threads);
        Eventually.Is(() => ProcFs.OpenDescriptors <= descriptors, "no more descriptors are open than before");
        ProcFs.Children.Should().BeEquivalentTo(children);
        ProcessEngine.Shared.LiveChildren.Should().Be(0);
    });

    // Some batches are left early, some are stopped. Some of their children fail, sleep or cannot be started.
    private static void RunBatches(int count)
    {
        const int Size = 250;
        for (int round = 0; round < count / Size; round++)
        {
            BatchResults batch = ProcessBatch.Enumerate(
                Enumerable.Range(0, Size).Select(n => (n % 50) switch
                {
                    0 => new ProcessCommand("/no/such/program"),
                    1 => TestPrograms.Quick("sleep", "100000") with { Timeout = TimeSpan.FromMilliseconds(5) },
                    2 => TestPrograms.Quick("return", "1"),
                    _ => TestPrograms.Quick(),
                }),
                new BatchOptions { MaxConcurrency = 8, Retry = new BatchRetry { Count = 1 } });
            int left = round % 5 == 4 ? Size - 5 : int.MaxValue;
            foreach (BatchResult _ in batch)
            {
                if (--left == 0)
                {
                    break;
                }
            }
        }
    }

    private static void UseEngine()
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 3 });
        PlainThreads.For(30, threadCount: 3, _ => s_payload.Fault(s_payload.Command().Run(engine)).Should().BeNull());
        for (int i = 0; i < 10; i++)
        {
            TestPrograms.Quick("sleep", "100000").Start(engine);
        }
    }

    // The runs cover every kind of ending.
    private static void RunMany(int count) => PlainThreads.For(count, threadCount: 4, index =>
    {
        switch (index % 10)
        {
            case 0:
                (TestPrograms.Quick("sleep", "100000") with { Timeout = TimeSpan.FromMilliseconds(1) }).Run()
                    .Outcome.Should().Be(ProcessOutcome.TimedOut);
                break;

            case 1:
                TestPrograms.Quick("sleep", "100000").Start().Dispose();
                break;

            case 2:
                ((Action)(() => new ProcessCommand("/no/such/program").Run())).Should().Throw<ProcessStartException>();
                break;

            case 3:
                using (ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep", "100000")))
                {
                    executor.Run();
                    executor.Wait(TimeSpan.Zero).Should().BeFalse();
                }

                break;

            default:
                s_payload.Fault(s_payload.Command().Run()).Should().BeNull();
                break;
        }
    });

    // The runtime starts and ends threads of its own (".NET TP Worker", ".NET Tiered Compi") at any time. The kernel
    // needs a moment to remove a joined thread. A test's thread has the name that it inherits from its guarded thread;
    // an engine's thread has the first 15 characters of its name.
    private static List<string> ThreadsOutsidePool()
    {
        List<string> names = [];
        Eventually.Is(
            () => IsSettled(names = NamesNow()),
            "of the threads of tests and engines, only this one and those of the shared engine are left, "
            + "whose threads for callbacks end when idle, except one");
        return names;
    }

    // A thread that the runtime has just made has the name of its creator for a moment.
    private static void ShouldHaveNoMoreThreadsThan(IReadOnlyList<string> before)
    {
        List<string> names = [];
        try
        {
            Eventually.Is(
                () => IsSettled(names = NamesNow()) && !More(names, before).Any(), "no thread is left behind");
        }
        catch (TimeoutException)
        {
            names.Should().BeEquivalentTo(before, "no thread is left behind");
            throw;
        }
    }

    private static List<string> NamesNow() =>
    [
        .. ProcFs.ThreadNames.Where(name => name.Length > 0 && !name.StartsWith(".NET ", StringComparison.Ordinal)),
    ];

    private static bool IsSettled(List<string> names) =>
        Count(names, "guarded test") == 1
        && Count(names, "ProcessRunner d") == 1
        && Count(names, "ProcessRunner ") == ProcessEngine.Shared.ThreadCount;

    private static IEnumerable<string> More(IReadOnlyList<string> names, IReadOnlyList<string> before) =>
        names.Distinct().Where(name => names.Count(one => one == name) > before.Count(one => one == name));

    private static int Count(List<string> names, string prefix) =>
        names.Count(name => name.StartsWith(prefix, StringComparison.Ordinal));
}
