using System;
using ProcessRunner.Faults;

namespace ProcessRunner.Backends.Primitives;

/// <summary>
/// A binary heap of entries by their deadline. Each entry knows its index, so a deadline is moved or removed in
/// logarithmic time, and an obsolete deadline leaves nothing behind. An entry is admitted before it has a deadline, so
/// that setting a deadline takes no memory. Not thread-safe: the lock of its owner guards it.
/// </summary>
internal sealed class DeadlineHeap
{
    private TimedEntry[] _entries = new TimedEntry[16];
    private int _count;
    private int _admitted;

    /// <summary>Gets the number of entries that have a deadline.</summary>
    public int Count => _count;

    /// <summary>Gets the earliest deadline, or <see cref="MonotonicClock.Never"/>.</summary>
    public long Earliest => _count == 0 ? MonotonicClock.Never : _entries[0].Deadline;

    /// <summary>Reserves room for an entry.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory. Nothing has changed.</exception>
    public void Admit(TimedEntry entry)
    {
        FaultPoint.AllocateManaged();
        if (_admitted == _entries.Length)
        {
            Array.Resize(ref _entries, _admitted * 2);
        }

        _admitted++;
        entry.IsAdmitted = true;
    }

    /// <summary>Removes an entry and its deadline.</summary>
    public void Remove(TimedEntry entry)
    {
        if (entry.IsAdmitted)
        {
            Set(entry, MonotonicClock.Never);
            entry.IsAdmitted = false;
            _admitted--;
        }
    }

    /// <summary>
    /// Sets or moves a deadline, or removes it with <see cref="MonotonicClock.Never"/>. Does nothing if the entry is
    /// not admitted.
    /// </summary>
    public void Set(TimedEntry entry, long instant)
    {
        if (!entry.IsAdmitted)
        {
            return;
        }

        int index = entry.DeadlineIndex;
        entry.Deadline = instant;
        if (instant == MonotonicClock.Never)
        {
            if (index >= 0)
            {
                RemoveAt(index);
            }

            return;
        }

        if (index < 0)
        {
            index = _count++;
            Place(index, entry);
        }

        SiftUp(index);
        SiftDown(entry.DeadlineIndex);
    }

    /// <summary>Removes and returns an entry whose deadline has passed.</summary>
    /// <returns>Null if there is none.</returns>
    public TimedEntry? TakeExpired(long now)
    {
        if (Earliest > now)
        {
            return null;
        }

        TimedEntry entry = _entries[0];
        Set(entry, MonotonicClock.Never);
        return entry;
    }

    private void RemoveAt(int index)
    {
        _entries[index].DeadlineIndex = -1;
        TimedEntry last = _entries[--_count];
        _entries[_count] = null!;
        if (index < _count)
        {
            Place(index, last);
            SiftUp(index);
            SiftDown(last.DeadlineIndex);
        }
    }

    private void SiftUp(int index)
    {
        TimedEntry entry = _entries[index];
        while (index > 0)
        {
            int parent = (index - 1) / 2;
            if (_entries[parent].Deadline <= entry.Deadline)
            {
                break;
            }

            Place(index, _entries[parent]);
            index = parent;
        }

        Place(index, entry);
    }

    private void SiftDown(int index)
    {
        TimedEntry entry = _entries[index];
        while ((2 * index) + 1 < _count)
        {
            int smaller = (2 * index) + 1;
            if (smaller + 1 < _count && _entries[smaller + 1].Deadline < _entries[smaller].Deadline)
            {
                smaller++;
            }

            if (_entries[smaller].Deadline >= entry.Deadline)
            {
                break;
            }

            Place(index, _entries[smaller]);
            index = smaller;
        }

        Place(index, entry);
    }

    private void Place(int index, TimedEntry entry)
    {
        _entries[index] = entry;
        entry.DeadlineIndex = index;
    }
}
