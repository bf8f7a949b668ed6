using System;
using Batch.CommandLine;

namespace Batch.Reports;

/// <summary>Defines the exit code of this program, which is that of GNU parallel.</summary>
internal static class ExitStatus
{
    /// <summary>The command line or the input is unusable, or the output or the log cannot be written.</summary>
    public const int Error = 255;

    /// <summary>The reader of the output is gone; the exit code is that of a death by SIGPIPE.</summary>
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
