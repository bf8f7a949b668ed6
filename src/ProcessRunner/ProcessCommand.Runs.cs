using System;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <content>The calls that run a command.</content>
public sealed partial record ProcessCommand
{
    /// <summary>
    /// Starts the program on the calling thread and returns once it is running. Its pipes are drained from then on.
    /// </summary>
    /// <param name="engine">
    /// The engine whose threads watch the child; <see cref="ProcessEngine.Shared"/> if null.
    /// </param>
    /// <returns>The running child. Dispose it: that stops the child if it still runs, unless it is detached.</returns>
    /// <exception cref="ProcessStartException">The program could not be started.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted (<see cref="Thread.Interrupt"/>) between two attempts to start. No child is left.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="InvalidOperationException">
    /// The command has an <see cref="IdleTimeout"/>, but its output bypasses this process.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">The backend lacks a part that the command needs.</exception>
    public ChildProcess Start(ProcessEngine? engine = null) =>
        new((engine ?? ProcessEngine.Shared).Start(
            new StartOrder(this) { IsHandedOut = true, IsReportedIfForgotten = true }));

    /// <summary>Runs the program and waits for its end, on the calling thread. Safe on a ThreadPool thread.</summary>
    /// <param name="engine">
    /// The engine whose threads watch the child; <see cref="ProcessEngine.Shared"/> if null.
    /// </param>
    /// <returns>The result, whatever the exit code. <see cref="ProcessResult.EnsureSuccess"/> checks it.</returns>
    /// <exception cref="ProcessStartException">The program could not be started.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted (<see cref="Thread.Interrupt"/>). The child has been stopped.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="InvalidOperationException">
    /// The command has an <see cref="IdleTimeout"/>, but its output bypasses this process; or a stream is
    /// <see cref="InputSource.Pipe"/> or <see cref="OutputTarget.Live"/>, which requires <see cref="Start"/>.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">The backend lacks a part that the command needs.</exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public ProcessResult Run(ProcessEngine? engine = null) =>
        (engine ?? ProcessEngine.Shared).Run(this, CancellationToken.None);

    /// <inheritdoc cref="Run(ProcessEngine, CancellationToken)"/>
    public ProcessResult Run(CancellationToken cancellationToken) => Run(ProcessEngine.Shared, cancellationToken);

    /// <summary>
    /// Runs the program and waits for its end, on the calling thread. Safe on a ThreadPool thread. Canceling stops the
    /// child.
    /// </summary>
    /// <param name="engine">The engine whose threads watch the child.</param>
    /// <param name="cancellationToken">
    /// Stops the child, or ends further attempts to start it. The method returns once the child is gone.
    /// </param>
    /// <exception cref="ArgumentNullException">The engine is null.</exception>
    /// <exception cref="OperationCanceledException">
    /// The token was canceled. <see cref="ProcessResult.Of(Exception)"/> returns what the child had written.
    /// </exception>
    /// <inheritdoc cref="Run(ProcessEngine)"/>
    public ProcessResult Run(ProcessEngine engine, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(engine);
        return engine.Run(this, cancellationToken);
    }

    /// <inheritdoc cref="RunAsync(ProcessEngine, CancellationToken)"/>
    public Task<ProcessResult> RunAsync(CancellationToken cancellationToken = default) =>
        RunAsync(ProcessEngine.Shared, cancellationToken);

    /// <summary>Runs the program. Canceling stops the child.</summary>
    /// <param name="engine">The engine whose threads watch the child.</param>
    /// <param name="cancellationToken">
    /// Stops the child, or ends further attempts to start it. The task completes once the child is gone.
    /// </param>
    /// <returns>
    /// A task that needs no ThreadPool thread to complete, so it is safe to block on it. It reports every failure,
    /// including that of the start; only a null engine throws at once.
    /// </returns>
    /// <exception cref="ArgumentNullException">The engine is null.</exception>
    /// <exception cref="OperationCanceledException">
    /// In the task: the token was canceled. <see cref="ProcessResult.Of(Exception)"/> returns what the child had
    /// written.
    /// </exception>
    /// <exception cref="ProcessStartException">In the task: the program could not be started.</exception>
    /// <exception cref="ObjectDisposedException">In the task: the engine has been disposed.</exception>
    /// <exception cref="InvalidOperationException">
    /// In the task: the command has an <see cref="IdleTimeout"/>, but its output bypasses this process; or a stream is
    /// <see cref="InputSource.Pipe"/> or <see cref="OutputTarget.Live"/>, which requires <see cref="Start"/>.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">
    /// In the task: the backend lacks a part that the command needs.
    /// </exception>
    /// <exception cref="Exception">
    /// In the task: a callback, stream or input of the caller threw this exception.
    /// </exception>
    public Task<ProcessResult> RunAsync(ProcessEngine engine, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(engine);
        return engine.RunAsync(this, cancellationToken);
    }
}
