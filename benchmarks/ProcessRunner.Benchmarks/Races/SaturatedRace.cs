using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using ProcessRunner.Benchmarks.Crowds;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Reports;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Runs children while all workers of the ThreadPool are busy with other work.</summary>
internal sealed class SaturatedRace : Race
{
    private const int Free = 0;
    private const int Parked = 1;

    // The pool adds a worker or two a second. It cannot add this many workers before a rival is abandoned.
    private const int ParkedItems = 1000;

    private static readonly TimeSpan s_sleep = TimeSpan.FromMilliseconds(100);

    public override string Name => "saturated";

    public override string Question => "Which contenders make progress while the ThreadPool is full?";

    public override RaceSettings Defaults { get; } = new()
    {
        Children = 64,
        Concurrency = 8,
        Bytes = 300 * 1024,
        Points = [Free, Parked],
        Patience = TimeSpan.FromSeconds(20),
    };

    public override RaceSettings Quick { get; } = new()
    {
        Children = 4,
        Concurrency = 2,
        Bytes = 128 * 1024,
        Points = [Free, Parked],
        Runs = 1,
        Patience = TimeSpan.FromSeconds(4),
    };

    public override string Sweep => "ThreadPool";

    public override IReadOnlyList<Contender> Contenders { get; } =
    [
        Lineup.Reference(Lineup.Floor, "C floor", settings => Lineup.Storm(
            Job(settings), settings, settings.Concurrency, warmUp: 0, keepsOutput: true)) with { OnlyAt = [Free] },
        Lineup.Library(
            Lineup.RunWait, "Run + Wait", settings => Measure(new LibraryRunner(LibraryForm.Bytes), settings)),
        Lineup.Library(Lineup.RunAsyncBlocked, "RunAsync, blocked on", settings =>
            Measure(new LibraryAsyncRunner(), settings)),
        Lineup.Library(Lineup.Batch, "batch", settings => Measure(new BatchCrowd(), settings)),
        .. Lineup.Rivals(Measure),
    ];

    public override IReadOnlyList<Metric> Metrics { get; } = [Figures.Wall, Figures.Threads];

    public override IReadOnlyList<Goal> Goals { get; } =
    [
        new("Run + Wait, parked ÷ free", 1.05, results => results.Growth(
            Lineup.RunWait, Figures.Wall, Free, Parked)),
        new("RunAsync, blocked on ÷ Run + Wait, free", 1.1, results => results.Ratio(
            Lineup.RunAsyncBlocked, Figures.Wall, Lineup.RunWait, Free)),
        new("RunAsync, blocked on ÷ Run + Wait, parked", 1.1, results => results.Ratio(
            Lineup.RunAsyncBlocked, Figures.Wall, Lineup.RunWait, Parked)),
        new(
            "batch, parked ÷ free",
            1.05,
            results => results.Growth(Lineup.Batch, Figures.Wall, Free, Parked)),
    ];

    public override string Describe(RaceSettings settings) => FormattableString.Invariant(
        $"{settings.Children} children, {settings.Concurrency} at once from plain threads, ")
        + FormattableString.Invariant($"each writes {settings.Bytes:N0} bytes to each stream ")
        + FormattableString.Invariant($"and sleeps {s_sleep.TotalMilliseconds} ms. ")
        + FormattableString.Invariant($"\"Parked\": {ParkedItems:N0} items that block lie in the ThreadPool. ")
        + FormattableString.Invariant($"A contender is abandoned after {settings.Patience.TotalSeconds} s.");

    public override string PointName(int point) => point == Parked ? "parked" : "free";

    public override IEnumerable<Panel> Panels(RaceResults results) =>
        results.Settings.Points.Select(point => PanelFactory.Bars(
            results, Metrics[0], point, $"{Metrics[0].Title}, ThreadPool {PointName(point)}"));

    private static ChildJob Job(RaceSettings settings) => ChildJobs.Fill(settings.Bytes, settings.Bytes, s_sleep);

    private static Measurement Measure(IChildRunner runner, RaceSettings settings) =>
        Measure(new ThreadCrowd(runner), settings);

    private static Measurement Measure(ICrowd crowd, RaceSettings settings)
    {
        CrowdTrial.WarmUp(crowd, Job(settings), settings.Concurrency, settings.Concurrency);
        if (settings.Point == Parked)
        {
            Park();
        }

        return CrowdTrial.Measure(crowd, Job(settings), settings.Children, settings.Concurrency, warmUp: 0);
    }

    // The items are never released: the process ends with them.
    private static void Park()
    {
        for (int i = 0; i < ParkedItems; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(_ => Thread.Sleep(Timeout.Infinite), null);
        }

        // The time suffices for the existing workers to take the first items.
        Thread.Sleep(TimeSpan.FromMilliseconds(300));
    }
}
