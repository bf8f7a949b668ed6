using System;
using System.Collections.Generic;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Decides which command of a batch starts next: weights, groups, slots, and the times of retries. Depends on neither a
/// clock nor a child. Not thread-safe.
/// </summary>
/// <remarks>
/// Commands start in order. A command whose group is full stands aside until the group has room, while others pass. A
/// command whose weight does not fit blocks all commands behind it, because otherwise it might wait forever. There is
/// always room for running commands to wait again. If another operation lacks memory, nothing has changed.
/// </remarks>
internal sealed class BatchSchedule(int maxConcurrency, IReadOnlyDictionary<string, int> groupLimits)
{
    private readonly PriorityQueue<BatchEntry, long> _ready = new();
    private readonly PriorityQueue<BatchEntry, long> _delayed = new();
    private readonly Dictionary<string, Group> _groups = [];
    private readonly PriorityQueue<int, int> _freeSlots = new();
    private int _slotsMade;
    private int _used;
    private int _aside;
    private long _added;

    /// <summary>Gets the number of waiting commands, including retries.</summary>
    public int Waiting => _ready.Count + _aside + _delayed.Count;

    /// <summary>
    /// Gets the number of commands that wait only for their turn, as far as is known: commands that stood aside for a
    /// full group at the last look are excluded.
    /// </summary>
    public int Ready => _ready.Count;

    /// <summary>Gets the number of commands that have been taken and not released.</summary>
    public int Running { get; private set; }

    /// <summary>Gets the instant at which the next retry is due, or <see cref="long.MaxValue"/>.</summary>
    public long NextDue => _delayed.TryPeek(out _, out long due) ? due : long.MaxValue;

    /// <summary>Gets whether a command waits only for free slots.</summary>
    public bool HasCandidate => Next() is not null;

    /// <summary>Adds a command behind all others.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it.</exception>
    public void Add(BatchEntry entry)
    {
        Reserve();
        entry.Order = _added++;
        AddAgain(entry);
    }

    /// <summary>
    /// Adds a command in its old place, so that its start is retried as soon as possible. Allocates no memory for a
    /// command that was just released or has room reserved.
    /// </summary>
    public void AddAgain(BatchEntry entry) => _ready.Enqueue(entry, entry.Order);

    /// <summary>Adds a command that returns to its old place at a given instant.</summary>
    /// <inheritdoc cref="AddAgain"/>
    public void AddLater(BatchEntry entry, long due) => _delayed.Enqueue(entry, due);

    /// <summary>Reserves room for one more command.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it.</exception>
    public void Reserve()
    {
        FaultPoint.AllocateManaged();
        int count = Waiting + Running + 1;
        _ready.EnsureCapacity(count);
        _delayed.EnsureCapacity(count);
    }

    /// <summary>Takes the next command, its slots and its slot number.</summary>
    /// <returns>The command, or null if none may start now.</returns>
    public BatchEntry? Take(long now)
    {
        while (_delayed.TryPeek(out BatchEntry? late, out long due) && due <= now)
        {
            AddAgain(late);
            _delayed.Dequeue();
        }

        PriorityQueue<BatchEntry, long>? queue = Next();
        if (queue is null || Weight(queue.Peek()) > maxConcurrency - _used)
        {
            return null;
        }

        _freeSlots.EnsureCapacity(Running + 1);
        BatchEntry entry = queue.Dequeue();
        _used += Weight(entry);
        Running++;
        entry.Slot = _freeSlots.TryDequeue(out int slot, out _) ? slot : _slotsMade++;
        if (GroupOf(entry) is Group group)
        {
            group.Used += group.Weight(entry);
            _aside -= queue == group.Aside ? 1 : 0;
        }

        return entry;
    }

    /// <summary>Returns the slots of a command.</summary>
    public void Release(BatchEntry entry)
    {
        _used -= Weight(entry);
        Running--;
        _freeSlots.Enqueue(entry.Slot, entry.Slot);
        if (GroupOf(entry) is Group group)
        {
            group.Used -= group.Weight(entry);
        }
    }

    /// <summary>Drops a waiting command.</summary>
    /// <returns>The command, or null if there is none.</returns>
    public BatchEntry? Drop()
    {
        if (_ready.TryDequeue(out BatchEntry? entry, out _) || _delayed.TryDequeue(out entry, out _))
        {
            return entry;
        }

        foreach (Group group in _groups.Values)
        {
            if (group.Aside.TryDequeue(out entry, out _))
            {
                _aside--;
                return entry;
            }
        }

        return null;
    }

    // Returns the queue whose first command is the next that its group admits, or null.
    private PriorityQueue<BatchEntry, long>? Next()
    {
        while (_ready.TryPeek(out BatchEntry? entry, out long order)
            && GroupOf(entry) is Group full
            && !full.Admits(entry))
        {
            full.Aside.Enqueue(entry, order);
            _ready.Dequeue();
            _aside++;
        }

        PriorityQueue<BatchEntry, long>? first = _ready.Count > 0 ? _ready : null;
        if (_aside > 0)
        {
            foreach (Group group in _groups.Values)
            {
                if (group.Aside.TryPeek(out BatchEntry? entry, out long order)
                    && group.Admits(entry)
                    && (first is null || order < first.Peek().Order))
                {
                    first = group.Aside;
                }
            }
        }

        return first;
    }

    private int Weight(BatchEntry entry) => Math.Min(entry.Item.Slots, maxConcurrency);

    private Group? GroupOf(BatchEntry entry)
    {
        if (entry.Item.Group is not string name || !groupLimits.TryGetValue(name, out int limit))
        {
            return null;
        }

        if (!_groups.TryGetValue(name, out Group? group))
        {
            _groups.Add(name, group = new Group(limit));
        }

        return group;
    }

    private sealed class Group(int limit)
    {
        public PriorityQueue<BatchEntry, long> Aside { get; } = new();

        public int Used { get; set; }

        public int Weight(BatchEntry entry) => Math.Min(entry.Item.Slots, limit);

        // No command overtakes another of its group: otherwise a heavy command might wait forever.
        public bool Admits(BatchEntry entry) =>
            Weight(entry) <= limit - Used && (!Aside.TryPeek(out _, out long first) || first >= entry.Order);
    }
}
