using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace ProcessRunner.Backends.Reactors;

/// <summary>
/// Represents the children of one reactor. Each has a slot, and a token that names the slot and the generation of its
/// tenant: the token of a child that has left resolves to nothing, even if the slot has a new tenant.
/// </summary>
/// <remarks>
/// The reactor's lock guards the table. Only <see cref="Count"/> can be read without it. Removing a child allocates no
/// memory.
/// </remarks>
internal sealed class SlotTable
{
    private readonly Stack<int> _freeSlots = new();
    private readonly List<Slot> _slots = [];
    private int _count;

    /// <summary>Gets the number of children; without the lock, as of a moment ago.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Returns the children that have a slot.</summary>
    public IReadOnlyList<BackendChild> Children() => [.. _slots.Select(slot => slot.Child).OfType<BackendChild>()];

    /// <summary>Gives the child a slot.</summary>
    /// <returns>The token of the child.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory for a further slot. Nothing has changed.</exception>
    public ulong Add(BackendChild child)
    {
        if (!_freeSlots.TryPop(out int index))
        {
            _freeSlots.EnsureCapacity(_slots.Count + 1);
            index = _slots.Count;
            _slots.Add(default);
        }

        Slot slot = new(child, _slots[index].Generation + 1);
        _slots[index] = slot;
        _count++;
        return EventToken.Of(index, slot.Generation);
    }

    /// <summary>Frees the slot of a child.</summary>
    public void Remove(ulong token)
    {
        int index = EventToken.Slot(token);
        _slots[index] = _slots[index] with { Child = null };
        _freeSlots.Push(index);
        _count--;
    }

    /// <summary>Returns the child with this token, or null if it has left.</summary>
    public BackendChild? Find(ulong token)
    {
        Slot slot = _slots[EventToken.Slot(token)];
        return slot.Generation == EventToken.Generation(token) ? slot.Child : null;
    }

    private readonly record struct Slot(BackendChild? Child, uint Generation);
}
