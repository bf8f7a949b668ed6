using System;
using System.Collections.Generic;
using ProcessRunner.Benchmarks.Crowds;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Transfers as many bytes as fast as possible.</summary>
internal sealed class FloodRace : Race
{
    private const string FloorCapture = "floor-capture";
    private const string Bytes = "bytes";
    private const string Text = "text";
    private const string Lines = "lines";
    private const string Spans = "spans";
    private const string Discard = "discard";
    private const string Limited = "limited";
    private const string PollBytes = "poll-bytes";

    public override string Name => "flood";

    public override string Question => "What is the throughput in bytes per second?";

    public override RaceSettings Defaults { get; } =
        new() { Children = 16, Concurrency = 16, Bytes = 32 * 1024 * 1024 };

    public override RaceSettings Quick { get; } =
        new() { Children = 4, Concurrency = 4, Bytes = 1024 * 1024, Runs = 1 };

    public override IReadOnlyList<Contender> Contenders { get; } =
    [
        Reference(Lineup.Floor, "C floor, discard", keepsOutput: false),
        Reference(FloorCapture, "C floor, capture", keepsOutput: true),
        Library(Bytes, "captured bytes", LibraryForm.Bytes),
        Library(Text, "text", LibraryForm.Text),
        Library(Lines, "lines", LibraryForm.Lines),
        Library(Spans, "spans, counted", LibraryForm.Spans),
        Library(Discard, "spans, discarded", LibraryForm.Discard),
        Library(Limited, "capture of 2 KiB", LibraryForm.Limited),
        .. Lineup.Rivals(Measure),
        new ManagedContender(PollBytes, "Process, poll(2), bytes", ContenderKind.Rival,
            settings => Measure(new PollRunner(RivalForm.Bytes), settings)),
    ];

    public override IReadOnlyList<Metric> Metrics { get; } =
        [Figures.Rate, Figures.Wall, Figures.ProcessorTotal, Figures.Threads, Figures.PeakMemory];

    public override IReadOnlyList<Goal> Goals { get; } =
    [
        new("captured bytes ÷ C floor, discard", 0.5, Rate(Bytes, Lineup.Floor)) { IsAtLeast = true },
        new("spans, discarded ÷ C floor, discard", 0.85, Rate(Discard, Lineup.Floor)) { IsAtLeast = true },
        new("spans, counted ÷ C floor, discard", 0.85, Rate(Spans, Lineup.Floor)) { IsAtLeast = true },
        new("text ÷ the best rival", 1.5, Rate(Text, [Lineup.Async, Lineup.Poll, Lineup.Inline, Lineup.Medallion]))
        {
            IsAtLeast = true,
        },
        new("lines ÷ Process, events", 3, Rate(Lines, Lineup.Events)) { IsAtLeast = true },
    ];

    public override string Describe(RaceSettings settings) => FormattableString.Invariant(
        $"{settings.Children} children, {settings.Concurrency} at once, ")
        + FormattableString.Invariant($"each writes {settings.Bytes:N0} bytes to each stream ")
        + "in lines of 64. Every byte is counted; text is decoded, and lines are split.";

    private static Contender Reference(string key, string name, bool keepsOutput) =>
        Lineup.Reference(
            key,
            name,
            settings => Lineup.Storm(Job(settings), settings, settings.Concurrency, settings.Children, keepsOutput));

    private static Contender Library(string key, string name, LibraryForm form) =>
        Lineup.Library(key, name, settings => Measure(new LibraryRunner(form), settings));

    private static Measurement Measure(IChildRunner runner, RaceSettings settings)
    {
        ThreadCrowd crowd = new(runner);
        // The warm-up runs the same children, because the first touch of memory costs more than all the other work.
        return CrowdTrial.Measure(crowd, Job(settings), settings.Children, settings.Concurrency, settings.Children);
    }

    private static ChildJob Job(RaceSettings settings) => ChildJobs.Fill(settings.Bytes, settings.Bytes, TimeSpan.Zero);

    private static Func<RaceResults, double?> Rate(string key, params string[] others) =>
        results => results.Ratio(key, Figures.Rate, others);
}
