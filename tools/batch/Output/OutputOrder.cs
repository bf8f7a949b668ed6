using System.Collections.Generic;
using System.Linq;
using Batch.Reports;

namespace Batch.Output;

/// <summary>Holds ended jobs until all jobs in front of them have ended, too.</summary>
internal sealed class OutputOrder(bool isUnordered)
{
    private readonly SortedDictionary<long, JobOutcome> _held = [];
    private long _next = 1;

    /// <summary>Adds an ended job and returns the jobs that may be printed now.</summary>
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

    /// <summary>
    /// Returns the jobs that are left when the run has ended. The missing jobs in front of them were never started.
    /// </summary>
    public IEnumerable<JobOutcome> Rest() => _held.Values.ToArray();
}
