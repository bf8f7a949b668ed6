using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Benchmarks.Crowds;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Reports;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Runs enough children to reveal every leak and drift.</summary>
internal sealed class SoakRace : Race
{
    private static readonly Metric[] s_tenths = [.. Enumerable.Range(1, 10).Select(Figures.Tenth)];

    public override string Name => "soak";

    public override string Question => "Does anything grow with the number of past children?";

    public override RaceSettings Defaults { get; } =
        new() { Children = 100_000, Concurrency = 8, Runs = 1, Patience = TimeSpan.FromMinutes(15) };

    public override RaceSettings Quick { get; } = new() { Children = 100, Concurrency = 4, Runs = 1 };

    public override IReadOnlyList<Contender> Contenders { get; } =
    [
        Lineup.Reference(Lineup.Floor, "C floor", settings => Lineup.Storm(
            ChildJobs.Exit, settings, settings.Concurrency, WarmUp(settings), keepsOutput: true)),
        Lineup.Library(Lineup.Batch, "batch", settings => Measure(new BatchCrowd(), settings)),
        Lineup.Library(
            Lineup.RunWait,
            "Run + Wait",
            settings => Measure(new ThreadCrowd(new LibraryRunner(LibraryForm.Bytes)), settings)),
    ];

    public override IReadOnlyList<Metric> Metrics { get; } =
    [
        Figures.PerChild,
        .. s_tenths.Select(tenth => tenth with { Title = $"tenth {tenth.Title}, µs a child" }),
        Figures.Before("descriptors", ProcessState.DescriptorsKey),
        Figures.After("descriptors", ProcessState.DescriptorsKey),
        Figures.Before("threads", ProcessState.ThreadsKey),
        Figures.After("threads", ProcessState.ThreadsKey),
        Figures.Before("zombies", ProcessState.ZombiesKey),
        Figures.After("zombies", ProcessState.ZombiesKey),
        Figures.MemoryBefore("managed", ProcessState.ManagedKey),
        Figures.MemoryAfter("managed", ProcessState.ManagedKey),
        Figures.MemoryBefore("resident", ProcessState.MemoryKey),
        Figures.MemoryAfter("resident", ProcessState.MemoryKey),
    ];

    public override IReadOnlyList<Goal> Goals { get; } =
    [
        new("Run + Wait, last tenth ÷ first tenth", 1.1, results =>
            results.Change(Lineup.RunWait, s_tenths[0], s_tenths[^1])),
        new("descriptors more than before", 0, More(ProcessState.DescriptorsKey)),
        new("threads more than before", 0, More(ProcessState.ThreadsKey)),
        new("zombies more than before", 0, More(ProcessState.ZombiesKey)),
        new("managed memory, after ÷ before", 1.1, results => results.Change(
            Lineup.RunWait,
            Figures.MemoryBefore("", ProcessState.ManagedKey),
            Figures.MemoryAfter("", ProcessState.ManagedKey))),
    ];

    public override string Describe(RaceSettings settings) => FormattableString.Invariant(
        $"{settings.Children:N0} children that exit immediately, {settings.Concurrency} at a time; ")
        + "the time per child in each tenth of them, and the resources of the process before and after.";

    public override IEnumerable<Panel> Panels(RaceResults results) =>
        [PanelFactory.Across(results, s_tenths, "µs a child", "tenth of the children")];

    private static Measurement Measure(ICrowd crowd, RaceSettings settings)
    {
        // The warm-up includes a measurement, because the first measurement loads assemblies, whose files stay open.
        CrowdTrial.Measure(crowd, ChildJobs.Exit, WarmUp(settings), settings.Concurrency, warmUp: 0);
        _ = ProcessState.Now();
        ProcessState before = ProcessState.Now();
        Measurement measurement = CrowdTrial.Measure(
            crowd, ChildJobs.Exit, settings.Children, settings.Concurrency, warmUp: 0);
        ProcessState after = ProcessState.Now();
        before.AddTo(measurement, Keys.Before);
        after.AddTo(measurement, Keys.After);
        return measurement;
    }

    private static int WarmUp(RaceSettings settings) => Math.Min(settings.Children / 5, 2000);

    private static Func<RaceResults, double?> More(string key) => results =>
        results.Median(Lineup.RunWait, Figures.After("", key))
        - results.Median(Lineup.RunWait, Figures.Before("", key));
}
