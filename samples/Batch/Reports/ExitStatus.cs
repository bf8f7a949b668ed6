using System;
using Batch.CommandLine;

namespace Batch.Reports;

/// <summary>The exit code of this program: that of GNU parallel.</summary>
internal static class ExitStatus
{
    /// <summary>The command line or the input cannot be used, or the output not be written.</summary>
    public const int Error = 255;

    /// <summary>Whoever read the output is gone: as if SIGPIPE had ended us.</summary>
    public const int ClosedOutput = 128 + 13;

    private const int Interrupted = 128 + 2;
    private const int Terminated = 128 + 15;
    private const int MostCounted = 100;

    public static int Of(Tally tally, HaltPolicy halt, RunEnding ending) => ending switch
    {
        RunEnding.Interrupted => Interrupted,
        RunEnding.Terminated => Terminated,
        RunEnding.Halted when halt.IsAtFirst && tally.FirstFailed.Count > 0 => tally.FirstFailed[0].Status,
        _ => (int)Math.Min(tally.Failed, MostCounted + 1),
    };
}
