namespace ProcessRunner.Backends;

/// <summary>The variable that tells a child of a batch its slot.</summary>
/// <param name="Name">Its name, or null for none.</param>
/// <param name="Slot">Its value.</param>
internal readonly record struct SlotVariable(string? Name, int Slot);
