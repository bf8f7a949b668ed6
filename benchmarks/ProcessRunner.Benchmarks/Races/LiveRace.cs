using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Keeps thousands of idle children alive.</summary>
internal sealed class LiveRace : Race
{
    private const string Merged = "merged";
    private const int GoalPoint = 5000;
    private const int MostPoint = 6000;

    // A child takes one pipe and one pidfd: this is the largest number that 20,000 descriptors allow.
    private const int MergedPoint = 9000;

    private static readonly ImmutableArray<int> s_points = [0, 500, 1000, 2000, GoalPoint, MostPoint];

    public override string Name => "live";

    public override string Question => "What do idle children cost?";

    public override RaceSettings Defaults { get; } =
        new() { Children = 200, Points = [.. s_points, MergedPoint] };

    public override RaceSettings Quick { get; } = new() { Children = 10, Points = [0, 50], Runs = 1 };

    public override string Sweep => "children alive";

    // poll(2) needs a thread for each live child, and the inline completions make no difference here.
    public override IReadOnlyList<Contender> Contenders { get; } =
    [
        Lineup.Reference(Lineup.Floor, "C floor", settings =>
        [
            "live", settings.Point, settings.Children, LiveTrial.IdleTime.TotalMilliseconds,
            ChildJobs.Sleep.Program, .. ChildJobs.Sleep.Arguments,
        ]) with { OnlyAt = s_points },
        Lineup.Library(
            Lineup.RunWait, "Run", settings => LiveTrial.Measure(new LibraryRunner(LibraryForm.Bytes), settings)) with
        {
            OnlyAt = s_points,
        },
        Lineup.Library(
            Merged,
            "Run, streams merged",
            settings => LiveTrial.Measure(new LibraryRunner(LibraryForm.Merged), settings)) with
        {
            OnlyAt = [MergedPoint],
        },
        new ManagedContender(Lineup.Events, "Process, events", ContenderKind.Rival,
            settings => LiveTrial.Measure(new EventsRunner(), settings)) { OnlyAt = s_points },
        new ManagedContender(Lineup.Async, "Process, async", ContenderKind.Rival,
            settings => LiveTrial.Measure(new AsyncRunner(RivalForm.Text), settings)) { OnlyAt = s_points },
        new ManagedContender(Lineup.Medallion, "MedallionShell 1.6.1", ContenderKind.Rival,
            settings => LiveTrial.Measure(new MedallionRunner(RivalForm.Text), settings)) { OnlyAt = s_points },
    ];

    public override IReadOnlyList<Metric> Metrics { get; } =
    [
        Figures.Start, Figures.ManagedPerChild, Figures.Threads with { Title = "threads added" }, Figures.IdleProcessor,
    ];

    public override IReadOnlyList<Metric> Plotted => [Metrics[0], Metrics[1]];

    public override IReadOnlyList<Goal> Goals { get; } =
    [
        new("at 5,000, start ÷ C floor", 1.1, results => results.Ratio(
            Lineup.RunWait, Figures.Start, Lineup.Floor, GoalPoint)),
        new(
            "at 5,000, threads added",
            8,
            results => results.Median(Lineup.RunWait, Figures.Threads, GoalPoint)),
        new("at 5,000, managed KiB a child", 4, results => results.Median(
            Lineup.RunWait, Figures.ManagedPerChild, GoalPoint)),
        new("at 6,000, idle processor ms a second", 2, results => results.Median(
            Lineup.RunWait, Figures.IdleProcessor, MostPoint)),
        new(
            "at 9,000 merged, threads added",
            8,
            results => results.Median(Merged, Figures.Threads, MergedPoint)),
        new("at 9,000 merged, managed KiB a child", 4, results => results.Median(
            Merged, Figures.ManagedPerChild, MergedPoint)),
    ];

    public override string Describe(RaceSettings settings) => FormattableString.Invariant(
        $"The given number of sleeping children, both streams redirected; then {settings.Children} more starts ")
        + "on one thread, of which the median counts; "
        + FormattableString.Invariant($"then an idle time of {LiveTrial.IdleTime.TotalSeconds} s.");

    public override int MainPoint(RaceSettings settings) =>
        settings.Points.Contains(GoalPoint) ? GoalPoint : base.MainPoint(settings);
}
