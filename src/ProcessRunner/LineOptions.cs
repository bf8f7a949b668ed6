using System;

namespace ProcessRunner;

/// <summary>Tells where lines end. Immutable.</summary>
public sealed record LineOptions
{
    private readonly int _maxLength = 1024 * 1024;

    /// <summary>Gets the largest number of characters of one line.</summary>
    /// <value>
    /// 1,048,576 by default; at least 1. A longer line comes in pieces, all but the last flagged by
    /// <see cref="OutputLine.IsPartial"/>, so that memory stays bounded. A pair of surrogates is never split: its piece has one
    /// character less, or two instead of one.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">It is less than 1.</exception>
    public int MaxLength
    {
        get => _maxLength;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _maxLength = value;
        }
    }

    /// <summary>Gets whether a lone carriage return ends a line, as progress bars use it.</summary>
    /// <value>False by default: it belongs to its line.</value>
    public bool SplitAtCarriageReturn { get; init; }
}
