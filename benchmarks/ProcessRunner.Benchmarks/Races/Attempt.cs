using ProcessRunner.Benchmarks.Measuring;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Represents the result of one contender in one round.</summary>
/// <param name="Values">The measurement; null if the contender did not finish.</param>
/// <param name="Fault">The fault, such as a lost byte, a wrong exit code or an exception.</param>
internal sealed record Attempt(Measurement? Values, string? Fault = null)
{
    /// <summary>Gets whether the contender was abandoned because its time was over.</summary>
    public bool TimedOut { get; init; }
}
