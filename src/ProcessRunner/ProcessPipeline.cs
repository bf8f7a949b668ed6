using System;
using System.Collections.Immutable;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>
/// Describes a sequence of commands, each of which reads the output of the one before it. With a native backend they
/// share a pipe of the kernel, and no byte in between passes through this process; the portable backend copies the
/// bytes. Immutable; it can run any number of times, at the same time, from any thread.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record ProcessPipeline
{
    private readonly TimeSpan _timeout = System.Threading.Timeout.InfiniteTimeSpan;

    internal ProcessPipeline(
        ProcessCommand first, Func<Stream, Stream, CancellationToken, Task>? transform, ProcessCommand second)
    {
        ArgumentNullException.ThrowIfNull(second);
        Stages = [first, second];
        Transforms = [transform];
    }

    /// <summary>Gets the commands in their order.</summary>
    public ImmutableArray<ProcessCommand> Stages { get; private init; }

    /// <summary>Gets the code between each command and the next, or null where a pipe of the kernel is.</summary>
    internal ImmutableArray<Func<Stream, Stream, CancellationToken, Task>?> Transforms { get; private init; }

    /// <summary>Gets whether the failure of any stage is a failure of the pipeline.</summary>
    /// <value>True by default. False counts only the last stage, as a shell without <c>pipefail</c> does.</value>
    public bool PipeFail { get; init; } = true;

    /// <summary>
    /// Gets how long all stages together may take, from the start of the first to the end of the last.
    /// </summary>
    /// <value>
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/>, for no limit, by default; zero or more. At the limit
    /// every stage that is still running is stopped, with <see cref="ProcessOutcome.TimedOut"/>. The
    /// <see cref="ProcessCommand.Timeout"/> of a stage applies as well, to that stage alone and from its own start.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan Timeout
    {
        get => _timeout;
        init => _timeout = TimeLimit.Validated(value, nameof(value));
    }

    /// <summary>Adds a stage to a pipeline, as <see cref="PipeTo"/> does.</summary>
    /// <param name="pipeline">The pipeline that writes.</param>
    /// <param name="next">The command that reads.</param>
    /// <exception cref="ArgumentNullException">The pipeline or the command is null.</exception>
    public static ProcessPipeline operator |(ProcessPipeline pipeline, ProcessCommand next)
    {
        ArgumentNullException.ThrowIfNull(pipeline);
        return pipeline.PipeTo(next);
    }

    /// <summary>Adds a stage that reads the output of the last one.</summary>
    /// <param name="next">The command. The pipe replaces its <see cref="ProcessCommand.StandardInput"/>.</param>
    /// <returns>A pipeline with one more stage. This one does not change.</returns>
    /// <exception cref="ArgumentNullException">The command is null.</exception>
    public ProcessPipeline PipeTo(ProcessCommand next)
    {
        ArgumentNullException.ThrowIfNull(next);
        return this with { Stages = Stages.Add(next), Transforms = Transforms.Add(null) };
    }

    /// <summary>
    /// Adds a stage that reads what a function makes of the output of the last one. The bytes in between pass through
    /// this process.
    /// </summary>
    /// <param name="transform">
    /// The function, which reads the first stream and writes the second one, on a delivery thread of the engine. It may
    /// block there, and then needs no other thread; the continuation after an <c>await</c> may need a ThreadPool
    /// thread. The next stage sees the end of its input when the function ends, and the stage before gets SIGPIPE if it
    /// still writes. The token is canceled once the next stage no longer reads. If the function throws, the wait for
    /// the run throws the same exception.
    /// </param>
    /// <param name="next">The command. The function replaces its <see cref="ProcessCommand.StandardInput"/>.</param>
    /// <returns>A pipeline with one more stage. This one does not change.</returns>
    /// <exception cref="ArgumentNullException">The function or the command is null.</exception>
    public ProcessPipeline PipeThrough(Func<Stream, Stream, CancellationToken, Task> transform, ProcessCommand next)
    {
        ArgumentNullException.ThrowIfNull(transform);
        ArgumentNullException.ThrowIfNull(next);
        return this with { Stages = Stages.Add(next), Transforms = Transforms.Add(transform) };
    }

    /// <summary>
    /// Starts all stages on the calling thread and returns once the last one runs: for input by hand
    /// (<see cref="InputSource.Pipe"/> of the first stage), live lines (<see cref="OutputTarget.Live"/>), signals and
    /// stops.
    /// </summary>
    /// <param name="engine">
    /// The engine whose threads watch the children; <see cref="ProcessEngine.Shared"/> if null.
    /// </param>
    /// <returns>The running pipeline. Dispose it: that stops the stages that still run.</returns>
    /// <exception cref="ProcessStartException">
    /// A stage could not be started. The stages before it have been killed.
    /// </exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted (<see cref="Thread.Interrupt"/>) between two attempts to start. No stage is left.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="InvalidOperationException">
    /// A stage has a <see cref="ProcessCommand.IdleTimeout"/>, but its output bypasses this process; the stages before
    /// it have been killed.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">The backend lacks a part that the command needs.</exception>
    public RunningPipeline Start(ProcessEngine? engine = null) =>
        new(PipelineRun.Start(this, engine ?? ProcessEngine.Shared));

    /// <summary>Runs all stages at once and waits for their end, on the calling thread.</summary>
    /// <param name="engine">
    /// The engine whose threads watch the children; <see cref="ProcessEngine.Shared"/> if null.
    /// </param>
    /// <returns>The result, with that of each stage.</returns>
    /// <exception cref="ProcessStartException">
    /// A stage could not be started. The stages before it have been killed.
    /// </exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The stages have been stopped and are gone.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="InvalidOperationException">
    /// A stage has a <see cref="ProcessCommand.IdleTimeout"/>, but its output bypasses this process; the stages before
    /// it have been killed. Or a stream is <see cref="InputSource.Pipe"/> or <see cref="OutputTarget.Live"/>, which a
    /// pipeline cannot offer; nothing has been started.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">The backend lacks a part that the command needs.</exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public PipelineResult Run(ProcessEngine? engine = null) =>
        PipelineRun.Run(this, engine ?? ProcessEngine.Shared, CancellationToken.None);

    /// <inheritdoc cref="Run(ProcessEngine, CancellationToken)"/>
    public PipelineResult Run(CancellationToken cancellationToken) => Run(ProcessEngine.Shared, cancellationToken);

    /// <summary>
    /// Runs all stages at once and waits for their end, on the calling thread. Canceling stops all of them.
    /// </summary>
    /// <param name="engine">The engine whose threads watch the children.</param>
    /// <param name="cancellationToken">
    /// Stops the children, or ends further attempts to start them. The method returns once they are gone.
    /// </param>
    /// <exception cref="ArgumentNullException">The engine is null.</exception>
    /// <exception cref="OperationCanceledException">
    /// The token was canceled. <see cref="ProcessResult.Of(Exception)"/> returns what the first stopped stage had
    /// written.
    /// </exception>
    /// <inheritdoc cref="Run(ProcessEngine)"/>
    public PipelineResult Run(ProcessEngine engine, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(engine);
        return PipelineRun.Run(this, engine, cancellationToken);
    }

    /// <inheritdoc cref="RunAsync(ProcessEngine, CancellationToken)"/>
    public Task<PipelineResult> RunAsync(CancellationToken cancellationToken = default) =>
        RunAsync(ProcessEngine.Shared, cancellationToken);

    /// <summary>Runs all stages at once. Canceling stops all of them.</summary>
    /// <param name="engine">The engine whose threads watch the children.</param>
    /// <param name="cancellationToken">
    /// Stops the children, or ends further attempts to start them. The task completes once they are gone.
    /// </param>
    /// <returns>
    /// A task that needs no ThreadPool thread to complete, so it is safe to block on it. It reports every failure,
    /// including that of a start; only a null engine throws at once.
    /// </returns>
    /// <exception cref="ArgumentNullException">The engine is null.</exception>
    /// <exception cref="OperationCanceledException">
    /// In the task: the token was canceled. <see cref="ProcessResult.Of(Exception)"/> returns what the first stopped
    /// stage had written.
    /// </exception>
    /// <exception cref="ProcessStartException">
    /// In the task: a stage could not be started. The stages before it have been killed.
    /// </exception>
    /// <exception cref="ObjectDisposedException">In the task: the engine has been disposed.</exception>
    /// <exception cref="InvalidOperationException">
    /// In the task: a stage has a <see cref="ProcessCommand.IdleTimeout"/>, but its output bypasses this process; or a
    /// stream is <see cref="InputSource.Pipe"/> or <see cref="OutputTarget.Live"/>, which a pipeline cannot offer.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">
    /// In the task: the backend lacks a part that the command needs.
    /// </exception>
    /// <exception cref="Exception">
    /// In the task: a callback, stream or input of the caller threw this exception.
    /// </exception>
    public Task<PipelineResult> RunAsync(ProcessEngine engine, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(engine);
        return PipelineRun.RunAsync(this, engine, cancellationToken);
    }

    /// <summary>Returns whether another pipeline has equal stages and settings.</summary>
    /// <param name="other">The other pipeline.</param>
    public bool Equals(ProcessPipeline? other) =>
        other is not null
        && PipeFail == other.PipeFail
        && Timeout == other.Timeout
        && Stages.AsSpan().SequenceEqual(other.Stages.AsSpan())
        && Transforms.AsSpan().SequenceEqual(other.Transforms.AsSpan());

    /// <summary>Returns a hash code that equal pipelines share.</summary>
    public override int GetHashCode() => HashCode.Combine(PipeFail, Timeout, Stages.Length, Stages[0], Stages[^1]);

    /// <summary>Returns the command line in the syntax of a POSIX shell.</summary>
    public override string ToString() =>
        string.Concat(Stages.Select((stage, i) => i == 0 ? $"{stage}"
            : Transforms[i - 1] is null ? $" | {stage}"
            : $" | (code) | {stage}"));

    /// <summary>Returns this pipeline, or an equal one that also hides the secrets of an engine.</summary>
    internal ProcessPipeline HiddenBy(ImmutableArray<Secret> secrets) =>
        secrets.IsEmpty ? this : this with { Stages = [.. Stages.Select(stage => stage.HiddenBy(secrets))] };

    /// <summary>Refuses streams that require a <see cref="ChildProcess"/>, unless a pipe replaces them.</summary>
    /// <exception cref="InvalidOperationException">A stream requires a <see cref="ChildProcess"/>.</exception>
    internal void ThrowIfUnreachable()
    {
        for (int i = 0; i < Stages.Length; i++)
        {
            ProcessCommand stage = Stages[i] with
            {
                StandardInput = i == 0 ? Stages[i].StandardInput : InputSource.Null,
                StandardOutput = i == Stages.Length - 1 ? Stages[i].StandardOutput : OutputTarget.Null,
            };
            CommandChecks.ThrowIfUnreachable(stage);
        }
    }

    /// <summary>Returns a stage with its streams bound to what is around it.</summary>
    internal ProcessCommand Stage(int index, InputSource? before, OutputTarget? behind)
    {
        ProcessCommand stage = Stages[index];
        return stage with
        {
            GroupMode = stage.GroupMode == ProcessGroupMode.Auto && Stages[0].StandardInput == InputSource.Inherit
                ? ProcessGroupMode.Inherit
                : stage.GroupMode,
            StandardInput = before ?? stage.StandardInput,
            StandardOutput = behind ?? stage.StandardOutput,
        };
    }
}
