using System.Collections.Generic;
using System.Linq;
using Batch.Reports;

namespace Batch.Output;

/// <summary>Holds the jobs that have ended before one in front of them, until that one has ended, too.</summary>
internal sealed class OutputOrder(bool isUnordered)
{
    private readonly SortedDictionary<long, JobOutcome> _held = [];
    private long _next = 1;

    /// <summary>Takes a job that has ended, and returns those whose turn it is now.</summary>
    public IEnumerable<JobOutcome> Add(JobOutcome outcome)
    {
        if (isUnordered)
        {
            yield return outcome;
            yield break;
        }

        _held.Add(outcome.Job.Sequence, outcome);
        while (_held.Remove(_next, out JobOutcome? due))
        {
            _next++;
            yield return due;
        }
    }

    /// <summary>Those that are left when the run has ended: what stood in front of them was never started.</summary>
    public IEnumerable<JobOutcome> Rest() => _held.Values.ToArray();
}
