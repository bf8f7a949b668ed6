namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Represents the attempts of a batch that have ended, in the order of their ends, until their consequences are
/// settled. Allocates no memory: the entries are linked. Guarded by the batch's gate.
/// </summary>
internal sealed class UnsettledEntries
{
    private BatchEntry? _last;

    /// <summary>Gets the attempt that ended first, or null if there is none.</summary>
    public BatchEntry? First { get; private set; }

    /// <summary>Gets the number of attempts.</summary>
    public int Count { get; private set; }

    /// <summary>Adds an attempt that has ended.</summary>
    public void Add(BatchEntry entry, object outcome)
    {
        entry.Outcome = outcome;
        if (First is null)
        {
            First = entry;
        }
        else
        {
            _last!.NextUnsettled = entry;
        }

        _last = entry;
        Count++;
    }

    /// <summary>Removes the first attempt, whose consequences are settled.</summary>
    public void RemoveFirst()
    {
        BatchEntry entry = First!;
        First = entry.NextUnsettled;
        entry.NextUnsettled = null;
        entry.Outcome = null;
        Count--;
    }
}
