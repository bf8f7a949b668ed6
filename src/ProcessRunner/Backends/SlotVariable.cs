namespace ProcessRunner.Backends;

/// <summary>Describes the environment variable that holds the slot number of a child of a batch.</summary>
/// <param name="Name">The name of the variable, or null for none.</param>
/// <param name="Slot">The value of the variable.</param>
internal readonly record struct SlotVariable(string? Name, int Slot);
