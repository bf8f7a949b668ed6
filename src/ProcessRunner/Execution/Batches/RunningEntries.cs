using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Backends;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution.Batches;

/// <summary>The commands of a batch that run now, and which of them have been told of a stop. Not thread-safe.</summary>
internal sealed class RunningEntries
{
    // Those that have been told come first.
    private readonly List<BatchEntry> _entries = [];
    private int _told;

    public int Count => _entries.Count;

    /// <summary>Has room for one more.</summary>
    /// <exception cref="System.OutOfMemoryException">There is none.</exception>
    public void Reserve()
    {
        FaultPoint.Allocate("managed memory");
        _entries.EnsureCapacity(_entries.Count + 1);
    }

    /// <summary>Adds one, for which there is room.</summary>
    public void Add(BatchEntry entry)
    {
        entry.RunningIndex = _entries.Count;
        _entries.Add(entry);
    }

    public void Remove(BatchEntry entry)
    {
        int index = entry.RunningIndex;
        if (index < _told)
        {
            _told--;
            Move(_told, index);
            index = _told;
        }

        int last = _entries.Count - 1;
        if (index < last)
        {
            Move(last, index);
        }

        _entries.RemoveAt(last);
        entry.RunningIndex = -1;
    }

    /// <summary>There is something to tell all of them.</summary>
    public void TellAll() => _told = 0;

    /// <summary>Takes the next one that has not been told.</summary>
    /// <returns>Null if there is none.</returns>
    public BatchEntry? TellNext() => _told < _entries.Count ? _entries[_told++] : null;

    /// <summary>Those that have been running longest, the longest first.</summary>
    public List<RunningItem> Longest(int count, long now) =>
    [
        .. _entries.OrderBy(entry => entry.StartedAt)
            .Take(count)
            .Select(entry => new RunningItem(entry.Item, entry.Index, entry.Slot, MonotonicClock.Between(entry.StartedAt, now))),
    ];

    private void Move(int from, int to)
    {
        _entries[to] = _entries[from];
        _entries[to].RunningIndex = to;
    }
}
