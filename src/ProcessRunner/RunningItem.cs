using System;

namespace ProcessRunner;

/// <summary>A command of a batch that runs now.</summary>
/// <param name="Item">What runs.</param>
/// <param name="Index">Its place in the input.</param>
/// <param name="Slot">The number that it has in <see cref="BatchOptions.SlotVariable"/>.</param>
/// <param name="RunTime">How long this attempt has been running.</param>
public sealed record RunningItem(BatchItem Item, long Index, int Slot, TimeSpan RunTime);
