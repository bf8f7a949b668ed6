using System;
using System.Collections.Generic;
using System.Linq;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>Represents an ended run.</summary>
internal sealed record RunSummary
{
    public required IReadOnlyList<TestRow> Rows { get; init; }

    public required DateTime Started { get; init; }

    public required TimeSpan Duration { get; init; }

    /// <summary>Gets the processor time of all processes of tests.</summary>
    public TimeSpan ProcessorTime { get; init; }

    public int Processes { get; init; }

    /// <summary>Gets how many runs these are.</summary>
    public int Runs { get; init; } = 1;

    public bool IsInterrupted { get; init; }

    /// <summary>Gets whether an error of the runner ended the run.</summary>
    public bool IsBroken { get; init; }

    /// <summary>Puts several runs of the same tests together.</summary>
    public static RunSummary Of(IReadOnlyList<RunSummary> runs) => runs.Count == 1 ? runs[0] : new RunSummary
    {
        Rows = [.. runs.SelectMany(run => run.Rows)],
        Started = runs[0].Started,
        Duration = runs.Aggregate(TimeSpan.Zero, (sum, run) => sum + run.Duration),
        ProcessorTime = runs.Aggregate(TimeSpan.Zero, (sum, run) => sum + run.ProcessorTime),
        Processes = runs.Sum(run => run.Processes),
        Runs = runs.Count,
        IsInterrupted = runs.Any(run => run.IsInterrupted),
        IsBroken = runs.Any(run => run.IsBroken),
    };

    public int Count(Verdict verdict) => Rows.Count(row => row.Verdict == verdict);

    public int Failed => Rows.Count(row => row.IsFailure && row.Verdict != Verdict.NotRun);

    public int NotRun => Count(Verdict.NotRun);

    public int Skipped => Count(Verdict.Skip);

    public int Passed => Rows.Count - Failed - Skipped - NotRun;
}
