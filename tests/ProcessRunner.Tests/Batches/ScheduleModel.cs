using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner.Tests.Batches;

/// <summary>Models <see cref="BatchSchedule"/> as simply as possible: one list, searched from its beginning.</summary>
internal sealed class ScheduleModel(int maxConcurrency, IReadOnlyDictionary<string, int> groupLimits)
{
    private readonly List<BatchEntry> _ready = [];
    private readonly List<(BatchEntry Entry, long Due)> _delayed = [];

    /// <summary>Gets the commands that have been taken and not released.</summary>
    public Dictionary<BatchEntry, int> Running { get; } = [];

    public int Waiting => _ready.Count + _delayed.Count;

    public long NextDue => _delayed.Count == 0 ? long.MaxValue : _delayed.Min(late => late.Due);

    public int Used => Running.Keys.Sum(Weight);

    public void Add(BatchEntry entry) => _ready.Add(entry);

    public void AddLater(BatchEntry entry, long due) => _delayed.Add((entry, due));

    public BatchEntry? Take(long now)
    {
        _ready.AddRange(_delayed.Where(late => late.Due <= now).Select(late => late.Entry));
        _delayed.RemoveAll(late => late.Due <= now);
        _ready.Sort((one, other) => one.Order.CompareTo(other.Order));
        HashSet<string> blocked = [];
        foreach (BatchEntry entry in _ready)
        {
            if (LimitOf(entry) is int limit
                && (blocked.Contains(entry.Item.Group!)
                    || UsedBy(entry.Item.Group!, limit) + Math.Min(entry.Item.Slots, limit) > limit))
            {
                blocked.Add(entry.Item.Group!);
                continue;
            }

            if (Used + Weight(entry) > maxConcurrency)
            {
                return null;
            }

            _ready.Remove(entry);
            int slot = 0;
            while (Running.ContainsValue(slot))
            {
                slot++;
            }

            Running.Add(entry, slot);
            return entry;
        }

        return null;
    }

    public void Release(BatchEntry entry) => Running.Remove(entry);

    public int UsedBy(string group, int limit) =>
        Running.Keys.Where(entry => entry.Item.Group == group).Sum(entry => Math.Min(entry.Item.Slots, limit));

    private int Weight(BatchEntry entry) => Math.Min(entry.Item.Slots, maxConcurrency);

    private int? LimitOf(BatchEntry entry) =>
        entry.Item.Group is string group && groupLimits.TryGetValue(group, out int limit) ? limit : null;
}
