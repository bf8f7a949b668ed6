using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>
/// Represents a named program that runs again and again, with separate calls to start it and to wait for it.
/// <see cref="Run(IEnumerable{string})"/> returns once the child is running. The child is drained, timed and served to
/// its end whether a thread waits for it or not. Any number of executors can therefore run before the first wait, from
/// any thread including ThreadPool threads.
/// </summary>
/// <remarks>Every member is safe from any thread.</remarks>
[DebuggerDisplay("{ToString(),nq}")]
public sealed partial class ProcessExecutor : IDisposable, IAsyncDisposable
{
    // Guards which run is the current one. It is held neither during a start nor during a wait, however long they take.
    private readonly Lock _gate = new();
    private readonly ProcessEngine _engine;
    private ChildLife? _current;

    // The run before the current one, whose result stays valid if the start of the current one fails.
    private ChildLife? _before;
    private bool _isDisposed;

    /// <summary>Initializes an executor for a program.</summary>
    /// <param name="name">A display name.</param>
    /// <param name="fileName">A path, or a name that is looked up on PATH.</param>
    /// <param name="engine">
    /// The engine whose threads watch the children; <see cref="ProcessEngine.Shared"/> if null.
    /// </param>
    /// <exception cref="ArgumentException">One of the names is null or empty.</exception>
    public ProcessExecutor(string name, string fileName, ProcessEngine? engine = null)
        : this(name, new ProcessCommand(fileName), engine)
    {
    }

    /// <summary>Initializes an executor for a command. Each run may add arguments to it.</summary>
    /// <param name="name">A display name.</param>
    /// <param name="command">The command, with its limits and settings.</param>
    /// <param name="engine">
    /// The engine whose threads watch the children; <see cref="ProcessEngine.Shared"/> if null.
    /// </param>
    /// <exception cref="ArgumentException">The name is null or empty, or the command is null.</exception>
    public ProcessExecutor(string name, ProcessCommand command, ProcessEngine? engine = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(command);
        Name = name;
        Command = command;
        _engine = engine ?? ProcessEngine.Shared;
    }

    /// <summary>Gets the display name.</summary>
    public string Name { get; }

    /// <summary>Gets the command on which every run is based.</summary>
    public ProcessCommand Command { get; }

    /// <summary>Gets whether a child is running.</summary>
    public bool IsRunning => Current is { HasEnded: false };

    /// <summary>Gets the result of the last run.</summary>
    /// <exception cref="InvalidOperationException">There was no run yet, or the run has not ended yet.</exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public ProcessResult Result =>
        Started is { HasEnded: true } ended
            ? ended.Wait()
            : throw new InvalidOperationException($"'{ShownName}' still runs: wait for it first.");

    private ChildLife? Current
    {
        get
        {
            lock (_gate)
            {
                return Latest();
            }
        }
    }

    private ChildLife Started =>
        Current ?? throw new InvalidOperationException($"'{ShownName}' has not been run yet: call Run first.");

    private string ShownName => _engine.Hidden(Command).Hide(Name);

    /// <summary>
    /// Starts the program on the calling thread and returns once it is running, without a result; unlike
    /// <see cref="ProcessCommand.Run(ProcessEngine)"/>, it does not wait for the end.
    /// </summary>
    /// <param name="arguments">The arguments after those of <see cref="Command"/>.</param>
    /// <exception cref="InvalidOperationException">
    /// The last run has not ended yet; the command has a <see cref="ProcessCommand.IdleTimeout"/>, but its output
    /// bypasses this process; or a stream is <see cref="InputSource.Pipe"/> or <see cref="OutputTarget.Live"/>, which
    /// requires <see cref="ProcessCommand.Start"/>.
    /// </exception>
    /// <exception cref="ArgumentException">An argument is null or contains a NUL character.</exception>
    /// <exception cref="ProcessStartException">
    /// The program could not be started. The executor can run again, and keeps the result of the run before.
    /// </exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted (<see cref="Thread.Interrupt"/>) between two attempts to start. No child is left.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The executor or its engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">The backend lacks a part that the command needs.</exception>
    public void Run(params IEnumerable<string> arguments) => Run(Command.WithArguments(arguments));

    /// <summary>
    /// Starts the program on the calling thread, with arguments some of which are secrets, and returns once it is
    /// running, without a result.
    /// </summary>
    /// <inheritdoc cref="Run(IEnumerable{string})"/>
    [OverloadResolutionPriority(-1)]
    public void Run(params ReadOnlySpan<ProcessArgument> arguments) => Run(Command.WithArguments(arguments));

    private void Run(ProcessCommand command)
    {
        ThrowUnlessFree();
        Begin(command, _engine.Prepare(command)).Start();
    }

    /// <summary>Waits until the child has ended and all its output has been read.</summary>
    /// <returns>The same result as <see cref="Result"/>.</returns>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>), which it may notice a second later. The
    /// child continues.
    /// </exception>
    /// <exception cref="InvalidOperationException">There was no run yet.</exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public ProcessResult Wait() => Started.Wait();

    /// <summary>
    /// Waits for the end of the child, and kills its process group at the limit. The output up to then is kept, and
    /// <see cref="Result"/> has <see cref="ProcessOutcome.TimedOut"/>. <see cref="ChildProcess.TryWait"/> and
    /// <see cref="WaitAny"/> do not kill.
    /// </summary>
    /// <param name="limit">
    /// The limit. Zero kills at once; <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.
    /// </param>
    /// <returns>False if the limit passed. The child has ended in both cases.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    /// <exception cref="InvalidOperationException">There was no run yet.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The child continues, without the limit.
    /// </exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public bool Wait(TimeSpan limit)
    {
        TimeLimit.Validated(limit, nameof(limit));
        ChildLife child = Started;
        bool isInTime = child.TryWait(limit);
        if (!isInTime)
        {
            child.Stop(StopCause.WaitLimit, TimeSpan.Zero, limit);
        }

        child.Wait();
        return isInTime;
    }

    /// <summary>
    /// Waits for the end of the child. Canceling ends the wait, and the child continues, as with
    /// <see cref="ChildProcess.WaitAsync"/>; <see cref="RequestStop"/> stops it.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that needs no ThreadPool thread to complete, so it is safe to block on it.</returns>
    /// <exception cref="InvalidOperationException">There was no run yet.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled before the end of the child.</exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public Task<ProcessResult> WaitAsync(CancellationToken cancellationToken = default) =>
        Started.WaitAsync(cancellationToken);

    /// <summary>
    /// Stops the child by its stop signal and grace period if it is running. Does not wait: the pending <c>Wait</c>
    /// returns.
    /// </summary>
    public void RequestStop() => Current?.Stop(StopCause.Request);

    /// <summary>
    /// Stops the child by its stop signal and grace period if it is running, and waits until it has ended.
    /// </summary>
    /// <returns>The result of the last run.</returns>
    /// <exception cref="InvalidOperationException">There was no run yet.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The child is being stopped.
    /// </exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public ProcessResult Stop()
    {
        ChildLife run = Started;
        run.Stop(StopCause.Request);
        return run.Wait();
    }

    /// <summary>Stops the child as <see cref="Stop"/> does, without a thread that waits.</summary>
    /// <returns>
    /// A task with the result. It needs no ThreadPool thread to complete, so it is safe to block on it.
    /// </returns>
    /// <exception cref="InvalidOperationException">There was no run yet.</exception>
    /// <exception cref="Exception">A callback, stream or input of the caller threw this exception.</exception>
    public Task<ProcessResult> StopAsync()
    {
        ChildLife run = Started;
        run.Stop(StopCause.Request);
        return run.WaitAsync(CancellationToken.None);
    }

    /// <summary>
    /// Stops the child by its stop signal and grace period if it is running, and waits until it is gone.
    /// </summary>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The child is being stopped.
    /// </exception>
    public void Dispose() => StopForDispose()?.AwaitEnd();

    /// <summary>Stops the child as <see cref="Dispose"/> does, without a thread that waits.</summary>
    /// <returns>A task that completes once the child is gone.</returns>
    public ValueTask DisposeAsync() =>
        StopForDispose() is ChildLife run ? new ValueTask(run.Ended) : ValueTask.CompletedTask;

    /// <summary>Returns the name, and what is known of the last run.</summary>
    public override string ToString() =>
        $"{ShownName}: {Current?.ToString() ?? $"{_engine.Hidden(Command)}: not run yet"}";

    private ChildLife? StopForDispose()
    {
        ChildLife? run;
        lock (_gate)
        {
            _isDisposed = true;
            run = Latest();
        }

        run?.Stop(StopCause.Dispose);
        return run;
    }

    // Creates the current run. Its start follows without the gate.
    private ChildLife Begin(ProcessCommand command, EngineParts parts)
    {
        lock (_gate)
        {
            ThrowUnlessFree();
            ChildLife run = ChildLife.Create(new StartOrder(command) { IsReportedIfForgotten = true }, parts);
            (_before, _current) = (Latest(), run);
            return run;
        }
    }

    // Requires the gate.
    private ChildLife? Latest()
    {
        if (_current is { HasEnded: true } ended)
        {
            _current = ended.Completion.StartFailure is null ? ended : _before;
            _before = null;
        }

        return _current;
    }

    private void ThrowUnlessFree()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (Latest() is { HasEnded: false })
            {
                throw new InvalidOperationException(
                    $"'{ShownName}' still runs: one executor runs one child at a time.");
            }
        }
    }
}
