using System;
using System.Diagnostics;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>
/// Describes how often and when a batch repeats a command that ended without success. Immutable. A command that could
/// not be started, or that a stop of the batch or of the item ended, is not repeated.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record BatchRetry
{
    private static readonly TimeSpan s_longest = TimeSpan.FromDays(24);

    private readonly int _count;
    private readonly TimeSpan _delay;
    private readonly double _factor = 1;
    private readonly TimeSpan _maxDelay = s_longest;
    private readonly double _jitter;

    /// <summary>Gets how many further attempts a command has.</summary>
    /// <value>0, for none, by default; 0 or more.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public int Count
    {
        get => _count;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _count = value;
        }
    }

    /// <summary>
    /// Gets how long to wait before the first further attempt. The slot is free for other commands meanwhile.
    /// </summary>
    /// <value>Zero by default; 0 to 24 days.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is outside that range.</exception>
    public TimeSpan Delay
    {
        get => _delay;
        init => _delay = InRange(value, nameof(value));
    }

    /// <summary>Gets the factor that multiplies the delay with every further attempt.</summary>
    /// <value>1, for a fixed delay, by default; 2 doubles it each time; 1 or more.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than 1, infinite or not a number.</exception>
    public double Factor
    {
        get => _factor;
        init => _factor = value >= 1 && double.IsFinite(value)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "The factor must be 1 or more.");
    }

    /// <summary>Gets the longest delay, before jitter.</summary>
    /// <value>24 days by default; 0 to 24 days.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is outside that range.</exception>
    public TimeSpan MaxDelay
    {
        get => _maxDelay;
        init => _maxDelay = InRange(value, nameof(value));
    }

    /// <summary>
    /// Gets which part of a delay is random, so that commands that failed together are not repeated together.
    /// </summary>
    /// <value>
    /// 0, for none, by default; 0 to 1. With 0.5, a delay is between half and one and a half times its length.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is outside that range.</exception>
    public double Jitter
    {
        get => _jitter;
        init => _jitter = value is >= 0 and <= 1
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "The jitter must be between 0 and 1.");
    }

    /// <summary>Gets a condition for a further attempt, which gets the result of the one that failed.</summary>
    /// <value>
    /// Null, for every failure, by default. It is called on a delivery thread of the engine, while the command still
    /// holds its slot. If it throws, the command is not repeated, and <see cref="BatchResult.Exception"/> is the
    /// exception.
    /// </value>
    public Func<ProcessResult, bool>? When { get; init; }

    /// <summary>Returns the number of further attempts, and the settings that are not the default.</summary>
    public override string ToString() => SettingText.Of(
        Count == 1 ? "1 retry" : $"{Count} retries",
        Delay == TimeSpan.Zero ? null : $"after {Delay}",
        Factor == 1 ? null : FormattableString.Invariant($"times {Factor}"),
        MaxDelay == s_longest ? null : $"at most {MaxDelay}",
        Jitter == 0 ? null : FormattableString.Invariant($"jitter {Jitter}"),
        When is null ? null : "on a condition");

    /// <summary>Returns the delay before a further attempt.</summary>
    /// <param name="failures">The number of failed attempts: 1 or more.</param>
    /// <param name="chance">A random number between 0 and 1.</param>
    internal TimeSpan DelayAfter(int failures, double chance)
    {
        // The power may be infinite, and zero times infinity is not a number.
        double growth = Math.Min(Math.Pow(_factor, failures - 1), double.MaxValue);
        double seconds = Math.Min(_delay.TotalSeconds * growth, _maxDelay.TotalSeconds);
        return TimeSpan.FromSeconds(seconds * (1 + (_jitter * ((2 * chance) - 1))));
    }

    private static TimeSpan InRange(TimeSpan value, string parameter)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero, parameter);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, s_longest, parameter);
        return value;
    }
}
