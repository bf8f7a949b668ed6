using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>
/// Represents a started pipeline (<see cref="ProcessPipeline.Start"/>). Every member is safe from any thread, and many
/// threads may wait for the same pipeline.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class RunningPipeline : IDisposable, IAsyncDisposable
{
    private readonly PipelineRun _run;

    internal RunningPipeline(PipelineRun run)
    {
        _run = run;
        Stages = [.. run.Stages.Select(static stage => new ChildProcess(stage))];
    }

    /// <summary>
    /// Gets the stages in their order: the first one has the input by hand, the last one the live lines, and each can
    /// be signaled.
    /// </summary>
    public IReadOnlyList<ChildProcess> Stages { get; }

    /// <summary>Gets whether a stage runs, or its result is not known yet.</summary>
    public bool IsRunning => _run.IsRunning;

    /// <summary>Waits until all stages have ended and all their output has been read.</summary>
    /// <returns>The result, with that of each stage.</returns>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>), which it may notice a second later. The
    /// stages continue.
    /// </exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public PipelineResult Wait() => _run.Wait();

    /// <summary>Waits for the end of all stages, up to a limit. The stages continue after the limit.</summary>
    /// <param name="limit">
    /// The limit. Zero only checks; <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.
    /// </param>
    /// <param name="result">The result, or null if the limit passed.</param>
    /// <returns>Whether all stages have ended.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The stages continue.
    /// </exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public bool TryWait(TimeSpan limit, [NotNullWhen(true)] out PipelineResult? result)
    {
        result = _run.TryWait(TimeLimit.Validated(limit, nameof(limit))) ? _run.Wait() : null;
        return result is not null;
    }

    /// <summary>Waits for the end of all stages. Canceling ends the wait, and the stages continue.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that needs no ThreadPool thread to complete, so it is safe to block on it.</returns>
    /// <exception cref="OperationCanceledException">The token was canceled before the end.</exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public Task<PipelineResult> WaitAsync(CancellationToken cancellationToken = default) =>
        _run.WaitAsync(cancellationToken);

    /// <summary>
    /// Stops all stages by their stop signals and grace periods, and waits until they are gone.
    /// </summary>
    /// <returns>The result, with the output up to the stop.</returns>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The stages are being stopped.
    /// </exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public PipelineResult Stop()
    {
        RequestStop();
        return Wait();
    }

    /// <summary>Stops the stages as <see cref="Stop"/> does, without a thread that waits.</summary>
    /// <returns>A task that needs no ThreadPool thread to complete, so it is safe to block on it.</returns>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public Task<PipelineResult> StopAsync()
    {
        RequestStop();
        return WaitAsync();
    }

    /// <summary>Stops all stages as <see cref="Stop"/> does, but does not wait.</summary>
    public void RequestStop() => _run.Stop(StopCause.Request, isKill: false);

    /// <summary>Kills the process groups of all stages at once. Does not wait.</summary>
    public void Kill() => _run.Stop(StopCause.Request, isKill: true);

    /// <summary>
    /// Stops all stages by their stop signals and grace periods if they are still running, and waits until they are
    /// gone.
    /// </summary>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The stages are being stopped.
    /// </exception>
    public void Dispose()
    {
        _run.Stop(StopCause.Dispose, isKill: false);
        _run.AwaitEnd();
    }

    /// <summary>Stops the stages as <see cref="Dispose"/> does, without a thread that waits.</summary>
    /// <returns>A task that completes once the stages are gone.</returns>
    public ValueTask DisposeAsync()
    {
        _run.Stop(StopCause.Dispose, isKill: false);
        return new ValueTask(_run.AwaitEndAsync());
    }

    /// <summary>Returns the stages, each with its process id or its end.</summary>
    public override string ToString() => string.Join(" | ", Stages);
}
