using System;

namespace ProcessRunner.Tests.Simulation;

/// <summary>The exception for a schedule in which something does not hold that must hold in every one.</summary>
internal sealed class BrokenInvariantException(string invariant) : Exception(invariant);
