using System;
using System.Diagnostics;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Makes every choice of a schedule: the same seed makes the same choices (SplitMix64).</summary>
internal sealed class Dice(ulong seed)
{
    private static readonly double[] s_milliseconds = [0, 0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 3000];

    private ulong _state = seed * 0x9E3779B97F4A7C15;

    /// <summary>Returns a number from 0 up to, but not including, 1.</summary>
    public double NextDouble() => (Next() >> 11) * (1.0 / (1UL << 53));

    /// <summary>Returns a number below the limit.</summary>
    public int Below(int limit) => (int)(((Next() >> 32) * (ulong)limit) >> 32);

    /// <summary>Returns a number from one limit to the other, both included.</summary>
    public int Between(int least, int most) => least + Below(most - least + 1);

    /// <summary>Returns true in so many cases of a hundred.</summary>
    public bool Percent(int chance) => Below(100) < chance;

    /// <summary>Returns one of the given values.</summary>
    public T OneOf<T>(params ReadOnlySpan<T> values) => values[Below(values.Length)];

    /// <summary>Returns a duration of which there are few, so that many of them end at the same instant.</summary>
    public TimeSpan Span() => TimeSpan.FromMilliseconds(s_milliseconds[Below(s_milliseconds.Length)]);

    /// <inheritdoc cref="Span"/>
    public long Ticks() => (long)(Span().TotalSeconds * Stopwatch.Frequency);

    private ulong Next()
    {
        ulong mixed = _state += 0x9E3779B97F4A7C15;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return mixed ^ (mixed >> 31);
    }
}
