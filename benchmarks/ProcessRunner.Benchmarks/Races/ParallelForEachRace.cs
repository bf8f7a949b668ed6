using System;
using System.Collections.Generic;
using ProcessRunner.Benchmarks.Crowds;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Runs children in the body of Parallel.ForEach.</summary>
internal sealed class ParallelForEachRace : Race
{
    private const string WaitOnly = "wait-only";
    private const string WaitAll = "wait-all";
    private const int Unlimited = -1;
    private const int GoalDegree = 64;

    // See learn.microsoft.com/dotnet/core/runtime-config/threading.
    private const string ThreadsWithoutDelay =
        "System.Threading.ThreadPool.Blocking.ThreadsToAddWithoutDelay_ProcCountFactor";

    private static readonly TimeSpan s_sleep = TimeSpan.FromMilliseconds(100);

    public override string Name => "parallel-foreach";

    public override string Question => "How does the degree of parallelism affect Parallel.ForEach?";

    public override RaceSettings Defaults { get; } =
        new() { Children = 128, Bytes = 300 * 1024, Points = [1, 2, 4, 16, GoalDegree, Unlimited] };

    public override RaceSettings Quick { get; } =
        new() { Children = 8, Bytes = 128 * 1024, Runs = 1, Points = [4, Unlimited] };

    public override string Sweep => "degree of parallelism";

    public override bool IsLogarithmic => true;

    public override IReadOnlyList<Contender> Contenders { get; } =
    [
        Lineup.Reference(Lineup.Floor, "C floor", settings => Lineup.Storm(
            Job(settings), settings, Degree(settings), warmUp: 0, keepsOutput: true)),
        new ManagedContender(
            WaitOnly, $"no child: a task waited for, {s_sleep.TotalMilliseconds} ms", ContenderKind.Reference,
            settings => Measure(new WaitOnlyRunner(s_sleep), settings)),
        Lineup.Library(
            Lineup.RunWait, "Run + Wait", settings => Measure(new LibraryRunner(LibraryForm.Bytes), settings)),
        Lineup.Library(Lineup.RunAsyncBlocked, "RunAsync, blocked on", settings =>
            Measure(new LibraryAsyncRunner(), settings)),
        Lineup.Library("run-wait-eager", "Run + Wait, a ThreadPool without delays", settings =>
            MeasureEager(new LibraryRunner(LibraryForm.Bytes), settings)),
        Lineup.Library(Lineup.Batch, "batch", settings =>
        {
            CrowdTrial.WarmUp(new BatchCrowd(), Job(settings), 2, 1);
            return CrowdTrial.Measure(new BatchCrowd(), Job(settings), settings.Children, settings.Point, warmUp: 0);
        }),
        Lineup.Library(WaitAll, "all Run, one WaitAll", settings =>
        {
            CrowdTrial.WarmUp(new WaitAllCrowd(), Job(settings), 2, 1);
            return Meter.Measure(
                settings.Children, tally => new WaitAllCrowd().Run(Job(settings), settings.Children, Unlimited, tally));
        }) with { OnlyAt = [Unlimited] },
        .. Lineup.Rivals(Measure),
        new ManagedContender(
            "inline-eager", "Process, async, inline completions, a ThreadPool without delays", ContenderKind.Rival,
            settings => MeasureEager(new AsyncRunner(RivalForm.Text), settings))
            {
                Environment = Lineup.InlineCompletions,
            },
        Lineup.ParallelXargs(Job, GoalDegree) with { OnlyAt = [GoalDegree] },
    ];

    public override IReadOnlyList<Metric> Metrics { get; } =
        [Figures.Wall, Figures.ProcessorTotal, Figures.Threads];

    public override IReadOnlyList<Goal> Goals { get; } =
    [
        new("at 64, Run + Wait ÷ the best of poll(2) and inline completions", 0.45, results => results.Ratio(
            Lineup.RunWait, Figures.Wall, [Lineup.Poll, Lineup.Inline], GoalDegree)),
        new("at 64, Run + Wait ÷ Process, async", 0.125, results => results.Ratio(
            Lineup.RunWait, Figures.Wall, Lineup.Async, GoalDegree)),
        new("at 64, Run + Wait ÷ MedallionShell", 0.125, results => results.Ratio(
            Lineup.RunWait, Figures.Wall, Lineup.Medallion, GoalDegree)),
        new("at 64, RunAsync, blocked on ÷ Run + Wait", 1.1, results => results.Ratio(
            Lineup.RunAsyncBlocked, Figures.Wall, Lineup.RunWait, GoalDegree)),
        new("at 64, Run + Wait ÷ no child, only a wait", 1.05, results => results.Ratio(
            Lineup.RunWait, Figures.Wall, WaitOnly, GoalDegree)),
        new("batch ÷ xargs -P64", 1.1, results => results.Ratio(
            Lineup.Batch, Figures.Wall, Lineup.Xargs, GoalDegree)),
    ];

    public override string Describe(RaceSettings settings) => FormattableString.Invariant(
        $"{settings.Children} children, each writes {settings.Bytes:N0} bytes to each stream ")
        + FormattableString.Invariant($"and sleeps {s_sleep.TotalMilliseconds} ms, ")
        + "in the body of Parallel.ForEach; every figure in a process of its own, its ThreadPool as new. "
        + "The C floor runs as many children at once as the degree says, or all of them.";

    public override string PointName(int point) => point == Unlimited ? "unlimited" : base.PointName(point);

    public override int MainPoint(RaceSettings settings) =>
        settings.Points.Contains(GoalDegree) ? GoalDegree : base.MainPoint(settings);

    private static int Degree(RaceSettings settings) =>
        settings.Point == Unlimited ? settings.Children : settings.Point;

    private static ChildJob Job(RaceSettings settings) => ChildJobs.Fill(settings.Bytes, settings.Bytes, s_sleep);

    // A project file can contain the same setting. The pool reads it on first use.
    private static Measurement MeasureEager(IChildRunner runner, RaceSettings settings)
    {
        AppContext.SetData(ThreadsWithoutDelay, settings.Children);
        return Measure(runner, settings);
    }

    private static Measurement Measure(IChildRunner runner, RaceSettings settings)
    {
        // The warm-up runs on one plain thread to keep the ThreadPool as small as in a program that has just started.
        CrowdTrial.WarmUp(new ThreadCrowd(runner), Job(settings), 2, 1);
        return CrowdTrial.Measure(
            new ForEachCrowd(runner), Job(settings), settings.Children, settings.Point, warmUp: 0);
    }
}
