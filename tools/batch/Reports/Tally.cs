using System.Collections.Generic;

namespace Batch.Reports;

/// <summary>Counts the results of the jobs and keeps the first failed jobs.</summary>
internal sealed class Tally
{
    private const int MostRemembered = 5;
    private readonly List<JobOutcome> _firstFailed = [];

    public long Passed { get; private set; }

    /// <summary>Gets the number of jobs that passed, but not at the first attempt.</summary>
    public long Flaky { get; private set; }

    public long Failed { get; private set; }

    public long Stopped { get; private set; }

    public long Ended => Passed + Failed + Stopped;

    /// <summary>Gets the first few failed jobs, in the order of their failures.</summary>
    public IReadOnlyList<JobOutcome> FirstFailed => _firstFailed;

    public void Add(JobOutcome outcome)
    {
        if (outcome.IsStopped)
        {
            Stopped++;
        }
        else if (outcome.IsFailed)
        {
            Failed++;
            if (_firstFailed.Count < MostRemembered)
            {
                _firstFailed.Add(outcome);
            }
        }
        else
        {
            Passed++;
            Flaky += outcome.Result.IsFlaky ? 1 : 0;
        }
    }
}
