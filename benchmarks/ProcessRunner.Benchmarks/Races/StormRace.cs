using System;
using System.Collections.Generic;
using ProcessRunner.Benchmarks.Crowds;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Runs as many children as fast as possible.</summary>
internal sealed class StormRace : Race
{
    private const string CloneFloor = "floor-clone";
    private const string FurnishedFloor = "floor-furnished";

    // The runtime of a contender in C# holds two descriptors for each of its assemblies, and descriptors of its
    // helpers.
    private const int RuntimeDescriptors = 48;
    private const int RuntimeThreads = 7;

    private const int Windows = 5;

    public override string Name => "storm";

    public override string Question => "What does a child that does nothing cost?";

    public override RaceSettings Defaults { get; } = new() { Children = 2000, Concurrency = 8 };

    public override RaceSettings Quick { get; } = new() { Children = 60, Concurrency = 4, Runs = 1 };

    public override IReadOnlyList<Contender> Contenders { get; } =
    [
        Lineup.Reference(Lineup.Floor, "C floor", Floor),
        Lineup.Reference(CloneFloor, "C floor, with a clone of its own", settings => ["clone", .. Floor(settings)]),
        Lineup.Reference(FurnishedFloor, "C floor, with a runtime's descriptors and threads", settings =>
            ["furnished", RuntimeDescriptors, RuntimeThreads, .. Floor(settings)]),
        Lineup.Library(Lineup.Batch, "batch", settings => Measure(new BatchCrowd(), settings)),
        Lineup.Library(
            Lineup.RunWait, "Run + Wait", settings => Measure(new LibraryRunner(LibraryForm.Bytes), settings)),
        Lineup.Library(
            Lineup.RunWaitOnce, "Run + Wait, environment taken once",
            settings => Measure(new LibraryRunner(LibraryForm.BytesEnvironmentOnce), settings)),
        .. Lineup.Rivals(Measure),
        Lineup.ParallelXargs(_ => ChildJobs.Exit),
    ];

    public override IReadOnlyList<Metric> Metrics => Figures.OfManyChildren;

    public override IReadOnlyList<Metric> Plotted => [Metrics[0], Metrics[1]];

    public override IReadOnlyList<Goal> Goals { get; } =
    [
        new("batch ÷ C floor with a clone", 1.08,
            results => results.Ratio(Lineup.Batch, Figures.PerChild, CloneFloor)),
        new("batch ÷ the best rival", 0.82, results => results.Ratio(
            Lineup.Batch, Figures.PerChild, [.. Lineup.ManagedRivals, Lineup.Xargs])),
        new("processor time, batch ÷ Process, async", 0.45,
            results => results.Ratio(Lineup.Batch, Figures.Processor, Lineup.Async)),
        new(
            "KiB allocated a child, batch",
            1.2,
            results => results.Median(Lineup.Batch, Figures.AllocatedPerChild)),
        new("Run + Wait ÷ C floor with a clone", 1.10,
            results => results.Ratio(Lineup.RunWait, Figures.PerChild, CloneFloor)),
        new("Run + Wait ÷ Process, poll(2)", 0.90,
            results => results.Ratio(Lineup.RunWait, Figures.PerChild, Lineup.Poll)),
    ];

    public override string Describe(RaceSettings settings) =>
        FormattableString.Invariant(
            $"{settings.Children:N0} children that exit immediately, {settings.Concurrency} at a time, ")
        + "both streams redirected; the C# rivals and Run + Wait from as many plain threads. "
        + FormattableString.Invariant($"{Windows} times in each process (xargs: once), of which the median counts.");

    private static IEnumerable<object> Floor(RaceSettings settings) =>
    [
        "windows", Windows,
        .. Lineup.Storm(ChildJobs.Exit, settings, settings.Concurrency, WarmUp(settings), keepsOutput: true),
    ];

    private static Measurement Measure(IChildRunner runner, RaceSettings settings) =>
        Measure(new ThreadCrowd(runner), settings);

    private static Measurement Measure(ICrowd crowd, RaceSettings settings) =>
        CrowdTrial.Measure(
            crowd, ChildJobs.Exit, settings.Children, settings.Concurrency, WarmUp(settings), Windows);

    // The runtime recompiles frequently called code while it runs, on the same two cores. This lasts for ten thousand
    // children and more, in this library and in Process.
    private static int WarmUp(RaceSettings settings) => 10 * settings.Children;
}
