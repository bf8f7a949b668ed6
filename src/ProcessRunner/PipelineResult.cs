using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;

namespace ProcessRunner;

/// <summary>Tells what came of a pipeline. Immutable and safe to read from any thread.</summary>
public sealed class PipelineResult
{
    // SIGPIPE, which is 13 on every system; .NET has no name for it.
    private const PosixSignal BrokenPipe = (PosixSignal)13;

    private readonly bool _countsEveryStage;

    internal PipelineResult(IReadOnlyList<ProcessResult> stages, bool countsEveryStage)
    {
        Stages = stages;
        _countsEveryStage = countsEveryStage;
    }

    /// <summary>Gets the result of each stage, in their order.</summary>
    public IReadOnlyList<ProcessResult> Stages { get; }

    /// <summary>Gets what the last stage wrote to its standard output.</summary>
    public CapturedOutput StandardOutput => Stages[^1].StandardOutput;

    /// <summary>
    /// Gets whether the last stage succeeded and, under <see cref="ProcessPipeline.PipeFail"/>, every other one did so or ended
    /// by SIGPIPE, because the stage behind it had read enough.
    /// </summary>
    public bool IsSuccess => FirstFailure is null;

    private ProcessResult? FirstFailure =>
        Stages.FirstOrDefault(stage => !stage.IsSuccess && (stage == Stages[^1] || (_countsEveryStage && !WasCutShort(stage))));

    /// <summary>Returns this result if the pipeline succeeded.</summary>
    /// <exception cref="ExitCodeException">A stage did not; it is the exception's result.</exception>
    public PipelineResult EnsureSuccess() => FirstFailure is null ? this : throw new ExitCodeException(FirstFailure);

    /// <summary>Returns the stages and how they ended.</summary>
    public override string ToString() => string.Join(" | ", Stages);

    private static bool WasCutShort(ProcessResult stage) =>
        stage is { Outcome: ProcessOutcome.Signaled, Signal: BrokenPipe };
}
