using System;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Linq;

namespace ProcessRunner.Backends.Primitives;

/// <summary>Represents a dictionary that is equal to another one with the same entries. Immutable.</summary>
internal sealed class ValueMap<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>> entries)
    : ReadOnlyDictionary<TKey, TValue>(new SortedList<TKey, TValue>(entries.ToDictionary(), s_order))
    where TKey : notnull
{
    // Texts by their characters: a culture can find different names equal.
    private static readonly IComparer<TKey> s_order =
        (object)StringComparer.Ordinal as IComparer<TKey> ?? Comparer<TKey>.Default;

    /// <summary>Gets the dictionary without entries.</summary>
    public static new ValueMap<TKey, TValue> Empty { get; } = new([]);

    public override bool Equals(object? obj) => obj is ValueMap<TKey, TValue> other && this.SequenceEqual(other);

    public override int GetHashCode()
    {
        HashCode code = default;
        foreach ((TKey key, TValue value) in this)
        {
            code.Add(key);
            code.Add(value);
        }

        return code.ToHashCode();
    }
}
