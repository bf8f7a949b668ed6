using System;
using System.Diagnostics;
using System.Threading;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>Describes where lines end. Immutable.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record LineOptions
{
    private readonly int _maxLength = 1024 * 1024;
    private readonly string? _separator;
    private readonly TimeSpan _promptDelay = Timeout.InfiniteTimeSpan;

    /// <summary>Gets the maximum number of characters in a line.</summary>
    /// <value>
    /// 1,048,576 by default; 1 or more. A longer line arrives in pieces, all but the last with
    /// <see cref="OutputLine.IsPartial"/>, so that memory stays bounded. A surrogate pair is never split: its piece has
    /// one character less, or two instead of one.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than 1.</exception>
    public int MaxLength
    {
        get => _maxLength;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _maxLength = value;
        }
    }

    /// <summary>
    /// Gets how long a stream is silent before the beginning of a line arrives, so that a prompt, which ends without a
    /// line end, can be answered.
    /// </summary>
    /// <value>
    /// <see cref="Timeout.InfiniteTimeSpan"/>, to wait for the line end, by default; zero or more. The beginning has
    /// <see cref="OutputLine.IsPartial"/>, and the rest of the line follows as another line. A busy machine can cut a
    /// line in two in this way, so a delay below 50 ms is seldom useful.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan PromptDelay
    {
        get => _promptDelay;
        init => _promptDelay = TimeLimit.Validated(value, nameof(value));
    }

    /// <summary>Gets the text that ends a line, such as <c>"\0"</c> for the names of <c>find -print0</c>.</summary>
    /// <value>
    /// Null, for <c>\n</c> and <c>\r\n</c>, by default. With a separator no other text ends a line, and
    /// <see cref="SplitAtCarriageReturn"/> has no effect. The comparison is ordinal.
    /// </value>
    /// <exception cref="ArgumentException">The value is empty.</exception>
    public string? Separator
    {
        get => _separator;
        init => _separator = value is ""
            ? throw new ArgumentException("A separator has at least one character.", nameof(value))
            : value;
    }

    /// <summary>Gets whether a carriage return without a line feed ends a line, as in progress bars.</summary>
    /// <value>False by default: the carriage return is part of its line.</value>
    public bool SplitAtCarriageReturn { get; init; }

    /// <summary>Returns the length, and the settings that are not the default.</summary>
    public override string ToString() => SettingText.Of(
        $"up to {MaxLength} characters",
        Separator is null ? null : $"separated by {Separator.ReplaceLineEndings("\\n").Replace("\0", "\\0")}",
        SplitAtCarriageReturn ? "also at a carriage return" : null,
        PromptDelay < TimeSpan.Zero ? null : $"prompts after {PromptDelay}");
}
