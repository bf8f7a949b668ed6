using System;
using System.Diagnostics;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>Represents a command of a batch that is running. Immutable.</summary>
/// <param name="Item">The item of the command.</param>
/// <param name="Index">The index of the command, as in <see cref="BatchResult.Index"/>.</param>
/// <param name="Slot">The number of the command in <see cref="BatchOptions.SlotVariable"/>.</param>
/// <param name="RunTime">How long this attempt has been running.</param>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record RunningItem(BatchItem Item, long Index, int Slot, TimeSpan RunTime)
{
    /// <summary>
    /// Gets the process id of the child, or 0 while it is being started. Once the child has ended, another process may
    /// have the same id.
    /// </summary>
    public int ProcessId { get; init; }

    internal ChildLife? Life { get; init; }

    /// <summary>
    /// Stops this attempt by its stop signal and grace period, if it is still running. Does not wait. The command is
    /// not repeated, and its result has <see cref="StopCause.Request"/>. Does nothing for a child that was being
    /// started when this object was made. Safe from any thread.
    /// </summary>
    public void RequestStop() => Life?.Stop(StopCause.Request);

    /// <summary>Returns the command, its process id and how long it has been running.</summary>
    public override string ToString() =>
        $"{Item}: {(ProcessId == 0 ? "starting" : $"runs as {ProcessId}")}, for {RunTime}";
}
