using System;
using System.Collections.Generic;
using ProcessRunner.Benchmarks.Crowds;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Runs one child after another on one plain thread.</summary>
internal sealed class SingleRace : Race
{
    private const string RunWaitText = "run-wait-text";
    private const int Windows = 5;

    public override string Name => "single";

    public override string Question => "What does one start and capture cost?";

    public override RaceSettings Defaults { get; } = new() { Children = 1000, Bytes = 4096 };

    public override RaceSettings Quick { get; } = new() { Children = 30, Bytes = 4096, Runs = 1 };

    public override IReadOnlyList<Contender> Contenders { get; } =
    [
        Lineup.Library(
            RunWaitText, "Run + Wait, as text", settings => Measure(new LibraryRunner(LibraryForm.Text), settings)),
        Lineup.Library(
            Lineup.RunWait,
            "Run + Wait, as bytes",
            settings => Measure(new LibraryRunner(LibraryForm.Bytes), settings)),
        Lineup.Library(
            Lineup.RunWaitOnce, "Run + Wait, as bytes, environment taken once",
            settings => Measure(new LibraryRunner(LibraryForm.BytesEnvironmentOnce), settings)),
        .. Lineup.Rivals(Measure),
    ];

    public override IReadOnlyList<Metric> Metrics => Figures.OfManyChildren;

    public override IReadOnlyList<Metric> Plotted => [Metrics[0], Metrics[2]];

    public override IReadOnlyList<Goal> Goals { get; } =
    [
        new("Run + Wait ÷ Process, poll(2), both as text", 1.0,
            results => results.Ratio(RunWaitText, Figures.PerChild, Lineup.Poll)),
        new("allocated, Run + Wait ÷ Process, poll(2), both as text", 0.1,
            results => results.Ratio(RunWaitText, Figures.AllocatedPerChild, Lineup.Poll)),
    ];

    public override string Describe(RaceSettings settings) =>
        FormattableString.Invariant($"{settings.Children:N0} children one after another, ")
        + FormattableString.Invariant($"each with {settings.Bytes:N0} bytes on each stream; ")
        + FormattableString.Invariant($"{Windows} times in each process, of which the median counts.");

    private static Measurement Measure(IChildRunner runner, RaceSettings settings) => CrowdTrial.Measure(
        new ThreadCrowd(runner),
        ChildJobs.Fill(settings.Bytes, settings.Bytes, TimeSpan.Zero),
        settings.Children,
        settings.Concurrency,
        warmUp: 3 * settings.Children,
        Windows);
}
