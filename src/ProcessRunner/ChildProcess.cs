using System;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Execution;
using ProcessRunner.Streams.Input;

namespace ProcessRunner;

/// <summary>
/// Represents a started child. Its pipes are drained whether a thread waits for it or not. Every member is safe from
/// any thread, and many threads may wait for the same child.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed partial class ChildProcess : IDisposable, IAsyncDisposable
{
    private readonly ChildLife _life;
    private readonly ChildInputStream? _standardInput;
    private bool _isDetached;

    internal ChildProcess(ChildLife life)
    {
        _life = life;
        _standardInput = life.HandWrittenInput;
    }

    /// <summary>Gets the process id. Once the child has ended, another process may have the same id.</summary>
    public int ProcessId => _life.ProcessId;

    /// <summary>Gets the command that was started.</summary>
    public ProcessCommand Command => _life.Command;

    /// <summary>Gets whether the child runs, or its result is not known yet.</summary>
    public bool IsRunning => !_life.HasEnded;

    /// <summary>
    /// Gets the stream that writes to the child's standard input. Writes keep the order of their calls, awaited or not.
    /// A write waits while the child reads more slowly, and does nothing once the child has stopped reading; a
    /// canceled write adds no further byte. Closing the stream ends the child's input after the bytes written before,
    /// and a later write throws <see cref="ObjectDisposedException"/>. It is safe to block on the tasks of the writes.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// The command's input is not <see cref="InputSource.Pipe"/>.
    /// </exception>
    public Stream StandardInput => _standardInput
        ?? throw new InvalidOperationException(
            "StandardInput is available only if the command's input is InputSource.Pipe.");

    /// <summary>Waits until the child has ended and all its output has been read.</summary>
    /// <returns>The result. Each wait for the same child returns the same object.</returns>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>), which it may notice a second later. The
    /// child continues.
    /// </exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public ProcessResult Wait() => _life.Wait();

    /// <summary>
    /// Waits for the end of the child, up to a limit that ends the wait and does not stop the child, unlike that of
    /// <see cref="ProcessExecutor.Wait(TimeSpan)"/>.
    /// </summary>
    /// <param name="limit">
    /// The limit. Zero only checks; <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.
    /// </param>
    /// <param name="result">The result, or null if the limit passed.</param>
    /// <returns>Whether the child has ended.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The child continues.
    /// </exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public bool TryWait(TimeSpan limit, [NotNullWhen(true)] out ProcessResult? result)
    {
        result = _life.TryWait(TimeLimit.Validated(limit, nameof(limit))) ? _life.Wait() : null;
        return result is not null;
    }

    /// <summary>Waits for the end of the child. Canceling ends the wait, and the child continues.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>
    /// A task with the result. It needs no ThreadPool thread to complete, so it is safe to block on it.
    /// </returns>
    /// <exception cref="OperationCanceledException">The token was canceled before the end of the child.</exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public Task<ProcessResult> WaitAsync(CancellationToken cancellationToken = default) =>
        _life.WaitAsync(cancellationToken);

    /// <summary>Sends a signal to the child alone.</summary>
    /// <param name="signal">The signal. A raw number may be cast: SIGKILL is <c>(PosixSignal)9</c>.</param>
    /// <returns>
    /// True if the signal was sent. False if the child had ended, so that no signal ever reaches a process that has
    /// taken over its id, or if this process may not signal the child (a set-user-id program, kill(2)).
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such signal.</exception>
    /// <exception cref="PlatformNotSupportedException">
    /// This system has no such signal. Windows has SIGKILL; with the native backend SIGINT, SIGTERM, SIGQUIT and SIGHUP
    /// become a CTRL_BREAK to the child's group there, and return false if it has no console that this process can
    /// reach.
    /// </exception>
    public bool Signal(PosixSignal signal) => _life.Signal(SignalArgument.Validated(signal, nameof(signal)));

    /// <summary>
    /// Stops the child's process group, and its descendants as <see cref="ProcessCommand.Descendants"/> says, and waits
    /// until they are gone: sends <see cref="ProcessCommand.StopSignal"/>, then SIGKILL after a grace period. If the
    /// child has ended, only waits for the rest of the output.
    /// </summary>
    /// <param name="grace">
    /// The time until SIGKILL: zero or more, or <see cref="Timeout.InfiniteTimeSpan"/>. If null,
    /// <see cref="ProcessCommand.StopGrace"/> and the graces of <see cref="ProcessCommand.FurtherStops"/>.
    /// </param>
    /// <returns>The result, with the output up to the stop.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The grace period is negative.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The child is being stopped.
    /// </exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public ProcessResult Stop(TimeSpan? grace = null)
    {
        RequestStop(grace);
        return Wait();
    }

    /// <summary>Stops the child as <see cref="Stop"/> does, without a thread that waits.</summary>
    /// <param name="grace">
    /// The time until SIGKILL: zero or more, or <see cref="Timeout.InfiniteTimeSpan"/>. If null,
    /// <see cref="ProcessCommand.StopGrace"/> and the graces of <see cref="ProcessCommand.FurtherStops"/>.
    /// </param>
    /// <returns>
    /// A task with the result. It needs no ThreadPool thread to complete, so it is safe to block on it.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">The grace period is negative.</exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public Task<ProcessResult> StopAsync(TimeSpan? grace = null)
    {
        RequestStop(grace);
        return WaitAsync();
    }

    /// <summary>
    /// Stops the child as <see cref="Stop"/> does, but does not wait. A second call can only bring SIGKILL forward.
    /// </summary>
    /// <param name="grace">
    /// The time until SIGKILL: zero or more, or <see cref="Timeout.InfiniteTimeSpan"/>. If null,
    /// <see cref="ProcessCommand.StopGrace"/> and the graces of <see cref="ProcessCommand.FurtherStops"/>.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">The grace period is negative.</exception>
    public void RequestStop(TimeSpan? grace = null) =>
        _life.Stop(StopCause.Request, TimeLimit.Validated(grace ?? Command.WholeStopGrace, nameof(grace)));

    /// <summary>
    /// Kills the child's process group at once, and its descendants as <see cref="ProcessCommand.Descendants"/> says.
    /// Does nothing if the child has ended. Does not wait.
    /// </summary>
    public void Kill() => _life.Stop(StopCause.Request, TimeSpan.Zero);

    /// <summary>
    /// Exempts the child from the stop by <see cref="Dispose"/> and from the kills at the end of its engine
    /// (<see cref="ProcessEngine.Dispose"/>) and of this process
    /// (<see cref="ProcessEngineOptions.KillChildrenOnExit"/>, <see cref="ProcessEngineOptions.KillChildrenOnSignal"/>,
    /// <c>ProcessCommand.KillOnParentExit</c>). It is still possible to wait for it.
    /// </summary>
    /// <remarks>
    /// A child that must outlive this process needs outputs that do not lead through it:
    /// <see cref="OutputTarget.Null"/>, <see cref="OutputTarget.Inherit"/> or, with a native backend,
    /// <see cref="OutputTarget.ToFile"/>. A capture, a callback and live lines are read by this process. Once it has
    /// ended, the child dies of SIGPIPE at its next write, or the write fails.
    /// </remarks>
    public void Detach()
    {
        Volatile.Write(ref _isDetached, true);
        _life.MarkUsed();
        _life.ExemptFromExitKill();
    }

    /// <summary>
    /// Stops the child by its stop signal and grace period if it is still running, and waits until it is gone.
    /// </summary>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The child is being stopped.
    /// </exception>
    public void Dispose()
    {
        _life.MarkUsed();
        if (!Volatile.Read(ref _isDetached) && IsRunning)
        {
            _life.Stop(StopCause.Dispose);
            _life.AwaitEnd();
        }
    }

    /// <summary>Stops the child as <see cref="Dispose"/> does, without a thread that waits.</summary>
    /// <returns>A task that completes once the child is gone.</returns>
    public ValueTask DisposeAsync()
    {
        _life.MarkUsed();
        if (Volatile.Read(ref _isDetached) || !IsRunning)
        {
            return ValueTask.CompletedTask;
        }

        _life.Stop(StopCause.Dispose);
        return new ValueTask(_life.Completion.Ended);
    }

    /// <summary>Returns the command, and its process id or its end.</summary>
    public override string ToString() => _life.ToString();
}
