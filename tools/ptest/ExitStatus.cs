using PTest.Running;

namespace PTest;

/// <summary>Names the exit codes.</summary>
internal static class ExitStatus
{
    public const int Success = 0;
    public const int Failed = 1;
    public const int Usage = 2;
    public const int NoTests = 4;
    public const int NotRun = 5;
    public const int Interrupted = 130;

    /// <summary>Gets the exit code of a run.</summary>
    /// <param name="summary">What became of the tests.</param>
    /// <param name="lacksReport">Whether a report could not be written. A failed test is the greater news.</param>
    public static int Of(RunSummary summary, bool lacksReport) =>
        summary.IsInterrupted ? Interrupted
        : summary.Failed > 0 ? Failed
        : lacksReport || summary.IsBroken ? Usage
        : summary.NotRun > 0 ? NotRun
        : Success;
}
