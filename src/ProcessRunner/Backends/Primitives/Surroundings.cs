using System;
using System.Diagnostics;

namespace ProcessRunner.Backends.Primitives;

/// <summary>
/// Provides what the library takes from its surroundings without a backend: the time, and chance. A simulation takes
/// their place. Otherwise there is nothing to decide, and the question costs a read of one field.
/// </summary>
/// <remarks>
/// The simulation belongs to the process, because the code that asks for the time knows no engine. Tests set it once
/// and for good, and threads outside a simulation keep their real surroundings, so nothing guards it.
/// </remarks>
internal abstract class Surroundings
{
    private static Surroundings? s_simulated;

    /// <summary>Sets the simulated surroundings, which serve every thread from now on.</summary>
    public static Surroundings Simulated
    {
        set => s_simulated = value;
    }

    /// <summary>Gets the current instant, in ticks of <see cref="Stopwatch"/>.</summary>
    public static long Timestamp => s_simulated is null ? Stopwatch.GetTimestamp() : s_simulated.GetTimestamp();

    /// <summary>Gets the current time of day.</summary>
    public static DateTimeOffset UtcNow => s_simulated is null ? DateTimeOffset.UtcNow : s_simulated.GetUtcNow();

    /// <summary>Returns a random number from 0 up to, but not including, 1.</summary>
    public static double NextChance() => s_simulated is null ? Random.Shared.NextDouble() : s_simulated.GetChance();

    /// <inheritdoc cref="Timestamp"/>
    protected abstract long GetTimestamp();

    /// <inheritdoc cref="UtcNow"/>
    protected abstract DateTimeOffset GetUtcNow();

    /// <inheritdoc cref="NextChance"/>
    protected abstract double GetChance();
}
