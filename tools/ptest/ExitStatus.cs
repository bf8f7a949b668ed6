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

    public static int Of(RunSummary summary) =>
        summary.IsInterrupted ? Interrupted
        : summary.Failed > 0 ? Failed
        : summary.NotRun > 0 ? NotRun
        : Success;
}
