namespace PTest.Reports;

/// <summary>Specifies what a verdict is to the formats that know fewer of them.</summary>
internal enum ReportOutcome
{
    Passed,

    /// <summary>The test said so.</summary>
    Failed,

    /// <summary>The test did not come to its end.</summary>
    Broken,

    Skipped,

    NotRun,
}
