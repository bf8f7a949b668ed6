using System.Collections.Generic;
using Batch.Commands;
using Batch.Output;

namespace Batch.Reports;

/// <summary>Creates the summary at the end of a run with failures or unfinished jobs.</summary>
internal static class Summary
{
    /// <summary>Creates the lines of the summary; none if all jobs passed.</summary>
    public static IEnumerable<string> Lines(Tally tally, RunEnding ending, CommandTemplate template)
    {
        if (tally.Failed == 0 && ending == RunEnding.Complete)
        {
            yield break;
        }

        string flaky = tally.Flaky > 0 ? $", {tally.Flaky} passed after a retry" : "";
        string stopped = tally.Stopped > 0 ? $", {tally.Stopped} stopped" : "";
        yield return $"batch: {Beginning(ending)}{tally.Failed} of {Jobs(tally.Ended)} failed{stopped}{flaky}.";
        foreach (JobOutcome failed in tally.FirstFailed)
        {
            string command = template.Text(failed.Job, failed.Result.Slot);
            yield return $"  job {failed.Job.Sequence}, {failed.Ending}: {OneLine.Of(command)}";
        }

        if (tally.Failed > tally.FirstFailed.Count)
        {
            yield return $"  and {tally.Failed - tally.FirstFailed.Count} more; --joblog FILE lists them all.";
        }
    }

    private static string Beginning(RunEnding ending) => ending switch
    {
        RunEnding.Halted => "halted, as --halt says: ",
        RunEnding.Interrupted => "interrupted: ",
        RunEnding.Terminated => "terminated: ",
        _ => "",
    };

    private static string Jobs(long count) => count == 1 ? "1 job" : $"{count} jobs";
}
