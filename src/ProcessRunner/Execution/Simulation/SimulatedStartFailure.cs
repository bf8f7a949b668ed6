namespace ProcessRunner.Execution.Simulation;

/// <summary>Describes a simulated start that fails.</summary>
/// <param name="Step">The step that fails.</param>
/// <param name="Reason">The reason.</param>
/// <param name="Attempts">The number of attempts that fail, or null for all.</param>
internal sealed record SimulatedStartFailure(ProcessStartStep Step, string Reason, int? Attempts);
