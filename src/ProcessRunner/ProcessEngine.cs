using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Execution;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// Owns the I/O threads on which children are drained, timed and seen to their end. Every member is safe from any
/// thread. The threads start with the first child and are background threads: they do not keep the program alive.
/// </summary>
/// <remarks>
/// <para>An engine that nobody disposes, and nobody can reach any more, has its children served to their end; then its threads
/// end as well.</para>
/// <para>The parts are made under <c>_gate</c> once and taken away under it by <see cref="Dispose"/>; no child's gate is
/// ever held there. Neither the parts nor their threads lead back to the engine, or it could never be garbage.</para>
/// </remarks>
public sealed class ProcessEngine : IDisposable, IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly ProcessEngineOptions _options;
    private readonly bool _isShared;
    private readonly InterruptForwarder? _interrupts;
    private volatile EngineParts? _parts;
    private readonly HashSet<BatchExecution> _batches = [];
    private readonly StrongBox<long> _startedChildren = new();
    private bool _disposed;

    /// <summary>Initializes an engine with I/O threads of its own.</summary>
    /// <param name="options">The defaults if null.</param>
    public ProcessEngine(ProcessEngineOptions? options = null)
        : this(options ?? new ProcessEngineOptions(), isShared: false)
    {
    }

    private ProcessEngine(ProcessEngineOptions options, bool isShared)
    {
        _options = options;
        _isShared = isShared;
        _interrupts = options.ForwardInterrupt ? new InterruptForwarder() : null;
    }

    /// <summary>Ends the threads of an engine that nobody has disposed, once its last child has ended.</summary>
    ~ProcessEngine()
    {
        try
        {
            if (_parts is EngineParts parts)
            {
                EngineEnd.Begin(parts, _interrupts);
            }
            else
            {
                _interrupts?.Dispose();
            }
        }
        catch (OutOfMemoryException)
        {
            // Tried again at the next collection.
            GC.ReRegisterForFinalize(this);
        }
    }

    /// <summary>Gets the engine that is used where none is given. It lives as long as the program.</summary>
    public static ProcessEngine Shared { get; } = new(new ProcessEngineOptions(), isShared: true);

    /// <summary>Gets the number of threads of this library that run now for the engine: none before the first start.</summary>
    public int ThreadCount => _parts is { } parts ? parts.Backend.ThreadCount + parts.Streams.Threads.Count : 0;

    /// <summary>Gets the number of children that have been started and have not ended yet.</summary>
    public int LiveChildren => _parts?.Backend.LiveChildren ?? 0;

    /// <summary>Gets the number of children that have been started so far.</summary>
    public long StartedChildren => Interlocked.Read(ref _startedChildren.Value);

    /// <summary>
    /// Kills the process groups of all children that still run, waits for their end, and ends the threads. Children that have been
    /// detached (<see cref="ChildProcess.Detach"/>) live on: the threads serve them to their end, and end then.
    /// </summary>
    /// <exception cref="InvalidOperationException">This is <see cref="Shared"/>.</exception>
    public void Dispose()
    {
        ThrowIfShared();
        EngineParts? parts;
        BatchExecution[] batches;
        lock (_gate)
        {
            _disposed = true;
            parts = _parts;
            _parts = null;
            batches = [.. _batches];
        }

        _interrupts?.Dispose();
        if (parts is null)
        {
            GC.SuppressFinalize(this);
            return;
        }

        parts.Backend.CloseForStarts();
        Array.ForEach(batches, batch => batch.OnEngineDispose());
        ChildLife[] children = Array.FindAll(parts.Lives, child => !child.IsSpared);
        Array.ForEach(children, child => child.Stop(StopCause.EngineDispose, TimeSpan.Zero));

        Array.ForEach(children, child => Uninterruptible.Do(child, static child => child.Completion.Ended.Wait()));
        if (parts.Backend.LiveChildren == 0)
        {
            parts.Dispose();
        }
        else
        {
            MemoryRetry.Do(parts, static parts => EngineEnd.Begin(parts, interrupts: null));
        }

        GC.SuppressFinalize(this);
    }

    /// <summary>
    /// Does what <see cref="Dispose"/> does, on a thread of its own, which completes the task: the caller waits for nothing,
    /// unless the system has no thread left for it.
    /// </summary>
    /// <exception cref="InvalidOperationException">This is <see cref="Shared"/>.</exception>
    public ValueTask DisposeAsync()
    {
        ThrowIfShared();
        TaskCompletionSource disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        try
        {
            OwnThread.Start("ProcessRunner dispose", () => DisposeAndTell(disposed));
        }
        catch (OutOfMemoryException)
        {
            DisposeAndTell(disposed);
        }

        GC.SuppressFinalize(this);
        return new ValueTask(disposed.Task);
    }

    /// <summary>Whether somebody of the user's is called back at a start.</summary>
    internal bool IsTraced => _options.Trace is not null;

    /// <summary>Starts a command, and tries again for a while where the system is short of something.</summary>
    internal ChildLife Start(StartOrder order)
    {
        ChildLife life = Create(order);
        life.Start();
        return life;
    }

    /// <summary>Runs a command without a thread that waits. Whatever goes wrong is told by the task.</summary>
    internal Task<ProcessResult> RunAsync(ProcessCommand command, CancellationToken cancellationToken) =>
        RunAsync(command, parts => ChildLife.Create(new StartOrder(command), parts), cancellationToken);

    /// <inheritdoc cref="RunAsync(ProcessCommand, CancellationToken)"/>
    /// <param name="command">What to run.</param>
    /// <param name="create">Makes the run.</param>
    /// <param name="cancellationToken">Stops the child.</param>
    internal Task<ProcessResult> RunAsync(
        ProcessCommand command, Func<EngineParts, ChildLife> create, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return Task.FromCanceled<ProcessResult>(cancellationToken);
        }

        try
        {
            Trace(command);
            ChildLife life = create(Parts(command));
            GC.KeepAlive(this);
            return RunAsync(life, cancellationToken);
        }
        catch (Exception exception)
        {
            return Task.FromException<ProcessResult>(exception);
        }
    }

    private static Task<ProcessResult> RunAsync(ChildLife life, CancellationToken cancellationToken)
    {
        try
        {
            Task<ProcessResult> result = life.WaitOrStopAsync(cancellationToken);
            life.StartAsync();
            return result;
        }
        catch (Exception exception)
        {
            life.GiveUp(exception);
            throw;
        }
    }

    /// <summary>Makes a run that is to be started.</summary>
    internal ChildLife Create(StartOrder order)
    {
        EngineParts parts = Prepare(order.Command);
        ChildLife life = ChildLife.Create(order, parts);

        // From here on the child keeps the threads.
        GC.KeepAlive(this);
        return life;
    }

    /// <summary>Tells of the start of a command, and sees to what it needs of the engine.</summary>
    internal EngineParts Prepare(ProcessCommand command)
    {
        Trace(command);
        return _parts ?? StartRetry.Until(() => Parts(command));
    }

    /// <summary>Tells of the start of a command.</summary>
    internal void Trace(ProcessCommand command) => _options.Trace?.Invoke(TraceLine.Of(command, _options.Secrets));

    /// <summary>What the children share; made for the first of them.</summary>
    internal EngineParts Parts(ProcessCommand first) => _parts ?? CreateParts(first);

    /// <summary>Has a batch told when the engine is disposed, at once if it has been.</summary>
    internal void Attach(BatchExecution batch)
    {
        bool isTooLate;
        lock (_gate)
        {
            _batches.Add(batch);
            isTooLate = _disposed;
        }

        if (isTooLate)
        {
            batch.OnEngineDispose();
        }
    }

    /// <summary>A batch has ended.</summary>
    internal void Detach(BatchExecution batch)
    {
        lock (_gate)
        {
            _batches.Remove(batch);
        }
    }

    private void DisposeAndTell(TaskCompletionSource disposed)
    {
        try
        {
            Dispose();
            disposed.SetResult();
        }
        catch (Exception exception)
        {
            disposed.SetException(exception);
        }
    }

    private EngineParts CreateParts(ProcessCommand first)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_parts is null)
            {
                StrongBox<long> startedChildren = _startedChildren;
                EngineParts parts = new(_options, first, () => Interlocked.Increment(ref startedChildren.Value));
                _interrupts?.Watch(parts);
                _parts = parts;
            }

            return _parts;
        }
    }

    private void ThrowIfShared()
    {
        if (_isShared)
        {
            throw new InvalidOperationException("The shared engine lives as long as the program; make your own to dispose it.");
        }
    }
}
