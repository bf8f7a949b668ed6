using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>The commands of a batch that run now. Not thread-safe.</summary>
internal sealed class RunningEntries
{
    private readonly List<BatchEntry> _entries = [];

    public int Count => _entries.Count;

    public void Add(BatchEntry entry)
    {
        entry.RunningIndex = _entries.Count;
        _entries.Add(entry);
    }

    public void Remove(BatchEntry entry)
    {
        BatchEntry last = _entries[^1];
        _entries[entry.RunningIndex] = last;
        last.RunningIndex = entry.RunningIndex;
        _entries.RemoveAt(_entries.Count - 1);
        entry.RunningIndex = -1;
    }

    /// <summary>Those that have been started.</summary>
    public List<ChildLife> Lives() => [.. _entries.Select(entry => entry.Life).OfType<ChildLife>()];

    /// <summary>Those that have been running longest, the longest first.</summary>
    public List<RunningItem> Longest(int count, long now) =>
    [
        .. _entries.OrderBy(entry => entry.StartedAt)
            .Take(count)
            .Select(entry => new RunningItem(entry.Item, entry.Index, entry.Slot, MonotonicClock.Between(entry.StartedAt, now))),
    ];
}
