using ProcessRunner.Benchmarks.Measuring;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>What came of one contender in one round.</summary>
/// <param name="Values">What was measured; null if it did not finish.</param>
/// <param name="Fault">What went wrong: a lost byte, a wrong exit code, an exception.</param>
internal sealed record Attempt(Measurement? Values, string? Fault = null)
{
    /// <summary>It was given up, as its patience was over.</summary>
    public bool TimedOut { get; init; }
}
