using System;
using System.Collections.Generic;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Measures how soon the end of a child is known while other children are alive.</summary>
internal sealed class LatencyRace : Race
{
    private const int GoalPoint = 2000;

    public override string Name => "latency";

    public override string Question => "How long is it from a child's last act to the return of Wait?";

    // The figure of one contender moves by a quarter within seconds. Many short turns are better than few long turns.
    public override RaceSettings Defaults { get; } =
        new() { Children = 100, Runs = 15, Points = [0, 100, 500, 1000, GoalPoint] };

    public override RaceSettings Quick { get; } = new() { Children = 20, Points = [0, 20], Runs = 1 };

    public override string Sweep => "children alive";

    public override bool IsLogarithmic => true;

    public override IReadOnlyList<Contender> Contenders { get; } =
    [
        new NativeContender(Lineup.Floor, "C floor", ContenderKind.Reference, Floor),
        Lineup.Library(
            Lineup.RunWait,
            "Run + Wait",
            settings => LatencyTrial.Measure(new LibraryRunner(LibraryForm.Text), settings)),
        .. Lineup.Rivals(LatencyTrial.Measure),
    ];

    public override IReadOnlyList<Metric> Metrics { get; } = [Figures.Median, Figures.Percentile99];

    public override IReadOnlyList<Metric> Plotted => Metrics;

    public override IReadOnlyList<Goal> Goals { get; } =
    [
        new("at 2,000, p50 ÷ C floor", 1.3, results => results.Ratio(
            Lineup.RunWait, Figures.Median, Lineup.Floor, GoalPoint)),
        new("at 2,000, p99 ÷ C floor", 2, results => results.Ratio(
            Lineup.RunWait, Figures.Percentile99, Lineup.Floor, GoalPoint)),
        new("flat: p50 at 2,000 ÷ p50 at 0, as often as the C floor's", 1.1, results =>
            results.Ratio(Lineup.RunWait, Figures.Median, Lineup.Floor, GoalPoint)
            / results.Ratio(Lineup.RunWait, Figures.Median, Lineup.Floor, 0)),
    ];

    public override string Describe(RaceSettings settings) => FormattableString.Invariant(
        $"{settings.Children} children one after another beside the given number of sleeping children. ")
        + FormattableString.Invariant($"Each sleeps {LatencyTrial.Sleep.TotalMilliseconds} ms ")
        + "and writes the clock as its last act: the time from there until Wait has returned.";

    // The C program reads the monotonic clock, which only the child in C can write.
    private static ProcessCommand? Floor(RaceSettings settings) =>
        NativePrograms.Floor is string floor && NativePrograms.Child is string child
            ? new ProcessCommand(
                floor,
                "latency",
                FormattableString.Invariant($"{settings.Point}"),
                FormattableString.Invariant($"{settings.Children}"),
                FormattableString.Invariant($"{LatencyTrial.Sleep.TotalMilliseconds}"),
                child)
            : null;
}
