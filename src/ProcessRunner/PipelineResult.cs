using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Runtime.InteropServices;

namespace ProcessRunner;

/// <summary>Represents the result of a pipeline. Immutable and safe to read from any thread.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class PipelineResult
{
    // SIGPIPE, which is 13 on every system; .NET has no name for it.
    private const PosixSignal BrokenPipe = (PosixSignal)13;

    private readonly bool _countsEveryStage;

    /// <summary>Initializes a result from those of the stages.</summary>
    /// <param name="stages">The results of the stages, in their order.</param>
    /// <param name="pipeFail">
    /// Whether the failure of any stage is a failure of the pipeline (<see cref="ProcessPipeline.PipeFail"/>).
    /// </param>
    /// <exception cref="ArgumentException">The list or a result is null, or the list is empty.</exception>
    public PipelineResult(IEnumerable<ProcessResult> stages, bool pipeFail = true)
    {
        ArgumentNullException.ThrowIfNull(stages);
        ProcessResult[] results = [.. stages];
        if (results.Length == 0 || results.Contains(null))
        {
            throw new ArgumentException("A pipeline has at least one stage, and each has a result.", nameof(stages));
        }

        Stages = results;
        _countsEveryStage = pipeFail;
    }

    /// <summary>Gets the results of the stages, in their order.</summary>
    public IReadOnlyList<ProcessResult> Stages { get; }

    /// <summary>Gets the bytes that the last stage wrote to its standard output.</summary>
    public CapturedOutput StandardOutput => Stages[^1].StandardOutput;

    /// <summary>
    /// Gets whether the last stage succeeded and, with <see cref="ProcessPipeline.PipeFail"/>, every other stage did as
    /// well. A stage before the last one also counts as successful if SIGPIPE ended it, because the next stage had read
    /// enough.
    /// </summary>
    public bool IsSuccess => FirstFailure is null;

    private ProcessResult? FirstFailure =>
        Stages.FirstOrDefault(stage =>
            !stage.IsSuccess && (stage == Stages[^1] || (_countsEveryStage && !WasCutShort(stage))));

    /// <summary>Returns this result if the pipeline succeeded.</summary>
    /// <exception cref="ExitCodeException">A stage did not succeed; the exception has its result.</exception>
    public PipelineResult EnsureSuccess() => FirstFailure is null ? this : throw new ExitCodeException(FirstFailure);

    /// <summary>Returns the stages and their outcomes.</summary>
    public override string ToString() => string.Join(" | ", Stages);

    private static bool WasCutShort(ProcessResult stage) =>
        stage is { Outcome: ProcessOutcome.Signaled, Signal: BrokenPipe };
}
