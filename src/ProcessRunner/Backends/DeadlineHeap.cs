using System;

namespace ProcessRunner.Backends;

/// <summary>
/// A binary heap of children by their deadline. Each child knows its index, so that a deadline is moved or taken away
/// in logarithmic time and children that ended early leave nothing behind. Not thread-safe: its reactor's lock guards it.
/// </summary>
internal sealed class DeadlineHeap
{
    private BackendChild[] _children = new BackendChild[16];
    private int _count;

    /// <summary>The number of children that have a deadline.</summary>
    public int Count => _count;

    /// <summary>The earliest deadline, or <see cref="MonotonicClock.Never"/>.</summary>
    public long Earliest => _count == 0 ? MonotonicClock.Never : _children[0].Deadline;

    /// <summary>Sets, moves or (with <see cref="MonotonicClock.Never"/>) takes away a child's deadline.</summary>
    public void Set(BackendChild child, long instant)
    {
        int index = child.DeadlineIndex;
        child.Deadline = instant;
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
            if (_count == _children.Length)
            {
                Array.Resize(ref _children, _count * 2);
            }

            index = _count++;
            Place(index, child);
        }

        SiftUp(index);
        SiftDown(child.DeadlineIndex);
    }

    /// <summary>Takes out a child whose deadline has passed.</summary>
    /// <returns>Null if there is none.</returns>
    public BackendChild? TakeExpired(long now)
    {
        if (Earliest > now)
        {
            return null;
        }

        BackendChild child = _children[0];
        Set(child, MonotonicClock.Never);
        return child;
    }

    private void RemoveAt(int index)
    {
        _children[index].DeadlineIndex = -1;
        BackendChild last = _children[--_count];
        _children[_count] = null!;
        if (index < _count)
        {
            Place(index, last);
            SiftUp(index);
            SiftDown(last.DeadlineIndex);
        }
    }

    private void SiftUp(int index)
    {
        BackendChild child = _children[index];
        while (index > 0)
        {
            int parent = (index - 1) / 2;
            if (_children[parent].Deadline <= child.Deadline)
            {
                break;
            }

            Place(index, _children[parent]);
            index = parent;
        }

        Place(index, child);
    }

    private void SiftDown(int index)
    {
        BackendChild child = _children[index];
        while ((2 * index) + 1 < _count)
        {
            int smaller = (2 * index) + 1;
            if (smaller + 1 < _count && _children[smaller + 1].Deadline < _children[smaller].Deadline)
            {
                smaller++;
            }

            if (_children[smaller].Deadline >= child.Deadline)
            {
                break;
            }

            Place(index, _children[smaller]);
            index = smaller;
        }

        Place(index, child);
    }

    private void Place(int index, BackendChild child)
    {
        _children[index] = child;
        child.DeadlineIndex = index;
    }
}
