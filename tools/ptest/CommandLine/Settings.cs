using System;
using System.Collections.Generic;
using PTest.Reports;
using PTest.Running;
using PTest.Selection;
using PTest.Units;

namespace PTest.CommandLine;

/// <summary>Represents a command line. A value that is null was not given; its default holds.</summary>
internal sealed record Settings
{
    public bool IsListing { get; init; }

    public IReadOnlyList<string> Targets { get; init; } = [];

    public IReadOnlyList<TestFilter> Filters { get; init; } = [];

    public string Configuration { get; init; } = "Debug";

    /// <summary>Gets the only target framework to build and to run; null for all.</summary>
    public string? Framework { get; init; }

    public bool Builds { get; init; } = true;

    public Isolation? Isolation { get; init; }

    public int? Jobs { get; init; }

    public TimeSpan? Timeout { get; init; }

    public TimeSpan? Slow { get; init; }

    public TimeSpan? RunTimeout { get; init; }

    public int? Retries { get; init; }

    public TimeSpan? RetryDelay { get; init; }

    public bool? FlakyFails { get; init; }

    public LeakPolicy? Leaks { get; init; }

    public DumpKind? HangDump { get; init; }

    public int? FailFast { get; init; }

    public int? Stress { get; init; }

    public Shard? Shard { get; init; }

    /// <summary>Gets the name of a profile of ptest.json.</summary>
    public string? Profile { get; init; }

    public IReadOnlyList<ReportTarget> Reports { get; init; } = [];

    public bool RerunsFailed { get; init; }

    public bool IgnoresParallelHints { get; init; }

    public bool? Precompiles { get; init; }

    public bool IsVerbose { get; init; }

    public bool ShowsProgress { get; init; } = true;

    public bool KeepsHistory { get; init; } = true;
}
