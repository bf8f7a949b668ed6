using System;
using System.Collections.Generic;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Thousands of children that are alive and do nothing.</summary>
internal sealed class LiveRace : Race
{
    private const int GoalPoint = 5000;

    public override string Name => "live";

    public override string Question => "What do children cost that are only there?";

    public override RaceSettings Defaults { get; } =
        new() { Children = 200, Points = [0, 500, 1000, 2000, GoalPoint, 6000] };

    public override RaceSettings Quick { get; } = new() { Children = 10, Points = [0, 50], Runs = 1 };

    public override string Sweep => "children alive";

    // poll(2) needs a thread for each child that is alive, and the inline completions make no difference here.
    public override IReadOnlyList<Contender> Contenders { get; } =
    [
        Lineup.Reference(Lineup.Floor, "C floor", settings =>
        [
            "live", settings.Point, settings.Children, LiveTrial.IdleTime.TotalMilliseconds,
            ChildJobs.Sleep.Program, .. ChildJobs.Sleep.Arguments,
        ]),
        Lineup.Library(Lineup.RunWait, "Run", settings => LiveTrial.Measure(new LibraryRunner(LibraryForm.Bytes), settings)),
        new ManagedContender(Lineup.Events, "Process, events", ContenderKind.Rival,
            settings => LiveTrial.Measure(new EventsRunner(), settings)),
        new ManagedContender(Lineup.Async, "Process, async", ContenderKind.Rival,
            settings => LiveTrial.Measure(new AsyncRunner(), settings)),
        new ManagedContender(Lineup.Medallion, "MedallionShell 1.6.1", ContenderKind.Rival,
            settings => LiveTrial.Measure(new MedallionRunner(), settings)),
    ];

    public override IReadOnlyList<Metric> Metrics { get; } =
    [
        Measuring.Metrics.Start, Measuring.Metrics.ManagedPerChild, Measuring.Metrics.Threads with { Title = "threads added" },
        Measuring.Metrics.IdleProcessor,
    ];

    public override IReadOnlyList<Metric> Plotted => [Metrics[0], Metrics[1]];

    public override IReadOnlyList<Goal> Goals { get; } =
    [
        new("at 5,000, start ÷ C floor", 1.1, results => results.Ratio(
            Lineup.RunWait, Measuring.Metrics.Start, Lineup.Floor, GoalPoint)),
        new("at 5,000, threads added", 8, results => results.Median(Lineup.RunWait, Measuring.Metrics.Threads, GoalPoint)),
        new("at 5,000, managed KiB a child", 4, results => results.Median(
            Lineup.RunWait, Measuring.Metrics.ManagedPerChild, GoalPoint)),
    ];

    public override string Describe(RaceSettings settings) => FormattableString.Invariant(
        $"So many children that sleep, both streams redirected; then {settings.Children} more starts, timed, on one thread; then an idle time of {LiveTrial.IdleTime.TotalSeconds} s.");

    public override int MainPoint(RaceSettings settings) =>
        settings.Points.Contains(GoalPoint) ? GoalPoint : base.MainPoint(settings);
}
