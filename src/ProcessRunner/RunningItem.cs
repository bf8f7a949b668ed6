using System;

namespace ProcessRunner;

/// <summary>Represents a command of a batch that is running.</summary>
/// <param name="Item">The item of the command.</param>
/// <param name="Index">The index of the command, as in <see cref="BatchResult.Index"/>.</param>
/// <param name="Slot">The number of the command in <see cref="BatchOptions.SlotVariable"/>.</param>
/// <param name="RunTime">How long this attempt has been running.</param>
public sealed record RunningItem(BatchItem Item, long Index, int Slot, TimeSpan RunTime);
