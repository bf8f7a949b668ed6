using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Represents the running commands of a batch, and which of them have been informed of a stop. Not thread-safe.
/// </summary>
internal sealed class RunningEntries
{
    // The informed commands come first.
    private readonly List<BatchEntry> _entries = [];
    private int _told;
    private int _judged;

    public int Count => _entries.Count;

    /// <summary>Gets the number of commands whose process may still be alive.</summary>
    public int Alive => _entries.Count - _judged;

    /// <summary>Reserves room for one more command.</summary>
    /// <exception cref="System.OutOfMemoryException">There is no memory for it.</exception>
    public void Reserve()
    {
        FaultPoint.AllocateManaged();
        _entries.EnsureCapacity(_entries.Count + 1);
    }

    /// <summary>Adds a command, for which room is reserved.</summary>
    public void Add(BatchEntry entry)
    {
        entry.RunningIndex = _entries.Count;
        _entries.Add(entry);
    }

    /// <summary>Handles the end of a process whose result user code judges.</summary>
    public void OnJudging(BatchEntry entry)
    {
        entry.IsJudged = true;
        _judged++;
    }

    public void Remove(BatchEntry entry)
    {
        _judged -= entry.IsJudged ? 1 : 0;
        entry.IsJudged = false;
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

    /// <summary>Marks all commands as not informed.</summary>
    public void TellAll() => _told = 0;

    /// <summary>Takes the next command that has not been informed.</summary>
    /// <returns>The command, or null if there is none.</returns>
    public BatchEntry? TellNext() => _told < _entries.Count ? _entries[_told++] : null;

    /// <summary>Returns the commands that have been running longest, the longest first.</summary>
    public List<RunningItem> Longest(int count, long now) =>
    [
        .. _entries.OrderBy(entry => entry.StartedAt)
            .Take(count)
            .Select(entry => entry.ToRunningItem(MonotonicClock.Between(entry.StartedAt, now))),
    ];

    private void Move(int from, int to)
    {
        _entries[to] = _entries[from];
        _entries[to].RunningIndex = to;
    }
}
