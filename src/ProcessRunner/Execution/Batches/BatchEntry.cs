using System.Collections.Generic;
using System.Threading;

namespace ProcessRunner.Execution.Batches;

/// <summary>One command of a batch on its way from the input to its result. Guarded by the batch's gate.</summary>
internal sealed class BatchEntry(BatchExecution batch, BatchItem item, long index, int repetition) : IRunObserver
{
    /// <summary>What is to be run.</summary>
    public BatchItem Item => item;

    /// <summary>Its place in the input.</summary>
    public long Index => index;

    /// <summary>Which repetition of the input it belongs to.</summary>
    public int Repetition => repetition;

    /// <summary>Its place in the order of the starts; a retry keeps it.</summary>
    public long Order { get; set; }

    /// <summary>The slot of the attempt that runs or ran last.</summary>
    public int Slot { get; set; }

    /// <summary>Which attempt runs or ran last, from 1.</summary>
    public int Attempt { get; set; }

    /// <summary>How many starts of this attempt have failed for want of something.</summary>
    public int FailedStarts { get; set; }

    /// <summary>When this attempt was started.</summary>
    public long StartedAt { get; set; }

    /// <summary>What runs, from before its start until it has ended.</summary>
    public ChildLife? Life { get; set; }

    /// <summary>The results of the attempts that failed before.</summary>
    public List<ProcessResult>? Failures { get; set; }

    /// <summary>Where it stands among those that run; owned by <see cref="RunningEntries"/>.</summary>
    public int RunningIndex { get; set; } = -1;

    /// <summary>
    /// Its result, if the attempt has ended, or the exception by which it could not begin; until it is settled what follows.
    /// </summary>
    public object? Outcome { get; set; }

    /// <summary>The one behind it of those that are to be settled; owned by <see cref="BatchState"/>.</summary>
    public BatchEntry? NextUnsettled { get; set; }

    ExecutionContext? IRunObserver.Context => batch.Context;

    void IRunObserver.OnEnded(ProcessResult result) => batch.OnEnded(this, result);
}
