using System;
using System.Collections.Generic;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Which command of a batch is started next: weights, groups, slots, and the times of retries. Knows neither clock nor
/// child. Not thread-safe.
/// </summary>
/// <remarks>
/// Commands start in their order. One whose group is full stands aside until the group has room, while others pass; one
/// that does not fit for its weight holds up all behind it, or it might wait for ever. There is always room for those that
/// run to wait again; where something else lacks memory, nothing has changed.
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

    /// <summary>How many wait, retries included.</summary>
    public int Waiting => _ready.Count + _aside + _delayed.Count;

    /// <summary>
    /// How many wait for nothing but their turn, as far as it is known: not those that stood aside for their full group when
    /// somebody last looked.
    /// </summary>
    public int Ready => _ready.Count;

    /// <summary>How many have been taken and not released.</summary>
    public int Running { get; private set; }

    /// <summary>When the next retry is due, or <see cref="long.MaxValue"/>.</summary>
    public long NextDue => _delayed.TryPeek(out _, out long due) ? due : long.MaxValue;

    /// <summary>Whether there is one that only needs free slots.</summary>
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
    /// Adds a command in its old place: its start is to be tried again as soon as possible. Takes no memory for one that has been
    /// released just now, or that there is room for.
    /// </summary>
    public void AddAgain(BatchEntry entry) => _ready.Enqueue(entry, entry.Order);

    /// <summary>Adds a command that is in its old place from an instant on.</summary>
    /// <inheritdoc cref="AddAgain"/>
    public void AddLater(BatchEntry entry, long due) => _delayed.Enqueue(entry, due);

    /// <summary>Has room for one more.</summary>
    /// <exception cref="OutOfMemoryException">There is none.</exception>
    public void Reserve()
    {
        FaultPoint.Allocate("managed memory");
        int count = Waiting + Running + 1;
        _ready.EnsureCapacity(count);
        _delayed.EnsureCapacity(count);
    }

    /// <summary>Takes the next command, its slots and its slot number.</summary>
    /// <returns>Null if none may start now.</returns>
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

    /// <summary>Gives back what a command took.</summary>
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

    /// <summary>Lets one go that waits.</summary>
    /// <returns>Null if there is none.</returns>
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

    // Where the first one stands that its group lets through.
    private PriorityQueue<BatchEntry, long>? Next()
    {
        while (_ready.TryPeek(out BatchEntry? entry, out long order) && GroupOf(entry) is Group full && !full.Admits(entry))
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

        // None overtakes another of its group: one that is heavy might wait for ever.
        public bool Admits(BatchEntry entry) =>
            Weight(entry) <= limit - Used && (!Aside.TryPeek(out _, out long first) || first >= entry.Order);
    }
}
