using System;
using System.Diagnostics;

namespace ProcessRunner;

/// <summary>Represents the limit of a resource. Immutable.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public readonly record struct ResourceLimit
{
    /// <summary>Initializes a limit.</summary>
    /// <param name="soft">The limit that applies; -1 for none.</param>
    /// <param name="hard">The limit up to which the child may raise the other one; -1 for none.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// A limit is less than -1, or the soft limit is above the hard one.
    /// </exception>
    public ResourceLimit(long soft, long hard)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(soft, -1);
        ArgumentOutOfRangeException.ThrowIfLessThan(hard, -1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan((ulong)soft, (ulong)hard, nameof(soft));
        (Soft, Hard) = (soft, hard);
    }

    /// <summary>Gets a value that represents no limit.</summary>
    public static ResourceLimit None { get; } = new(-1, -1);

    /// <summary>Gets the limit that applies; -1 for none.</summary>
    public long Soft { get; }

    /// <summary>Gets the limit up to which the child may raise the other one; -1 for none.</summary>
    public long Hard { get; }

    /// <summary>Creates a limit that the child cannot raise.</summary>
    /// <param name="value">Both the soft and the hard limit.</param>
    /// <exception cref="ArgumentOutOfRangeException">The limit is less than -1.</exception>
    public static implicit operator ResourceLimit(long value) => new(value, value);

    /// <summary>Returns the limit, and the hard one if it differs.</summary>
    public override string ToString() => Soft == Hard ? TextOf(Soft) : $"{TextOf(Soft)}, hard {TextOf(Hard)}";

    private static string TextOf(long limit) => limit < 0 ? "none" : $"{limit}";
}
