using System;
using System.Collections.Immutable;

namespace ProcessRunner.Backends.Primitives;

/// <summary>Represents a list that is equal to another one with the same items. Immutable.</summary>
internal readonly record struct ValueList<T>(ImmutableArray<T> Items)
{
    /// <summary>Gets the list without items.</summary>
    public static ValueList<T> Empty { get; } = new([]);

    public bool Equals(ValueList<T> other) => Items.AsSpan().SequenceEqual(other.Items.AsSpan());

    public override int GetHashCode()
    {
        HashCode code = default;
        foreach (T item in Items)
        {
            code.Add(item);
        }

        return code.ToHashCode();
    }
}
