using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Simulated;
using ProcessRunner.Execution;
using ProcessRunner.Execution.Batches;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner;

/// <summary>
/// Owns the I/O threads that drain children, keep their time limits and see their exits. Every member is safe from any
/// thread. The threads start with the first child and are background threads, which do not keep the program alive.
/// </summary>
/// <remarks>
/// An engine that becomes unreachable without being disposed serves its children to their end, and then its threads
/// end.
/// </remarks>
[DebuggerDisplay("{ToString(),nq}")]
public sealed partial class ProcessEngine : IDisposable, IAsyncDisposable
{
    // The parts are created once with this gate held, and Dispose takes them away with it held. No child's gate is ever
    // held there. Neither the parts nor their threads refer to the engine, which could otherwise never become garbage.
    private readonly Lock _gate = new();
    // Those of the shared engine can be set until the parts exist.
    private volatile ProcessEngineOptions _options;
    private readonly bool _isShared;
    private readonly ISimulator? _simulator;
    private InterruptForwarder? _interrupts;
    private volatile EngineParts? _parts;
    private readonly HashSet<BatchExecution> _batches = [];
    private readonly StrongBox<long> _startedChildren = new();
    private bool _isDisposed;
    private bool _isConfigured;
    private bool _hasTraced;
    private string? _firstUse;

    /// <summary>Initializes an engine with I/O threads of its own.</summary>
    /// <param name="options">The options; the defaults if null.</param>
    public ProcessEngine(ProcessEngineOptions? options = null)
        : this(options ?? new ProcessEngineOptions(), isShared: false)
    {
    }

    /// <summary>Initializes an engine over a given backend and threads of its own.</summary>
    internal ProcessEngine(
        ProcessEngineOptions options, ProcessBackend backend, Func<ProcessBackend, IDeliveryThreads> createThreads)
        : this(options, isShared: false) => _parts = new EngineParts(options, CountStarts(), backend, createThreads);

    private ProcessEngine(ProcessEngineOptions options, bool isShared, ISimulator? simulator = null)
    {
        _simulator = simulator;
        _options = options;
        _isShared = isShared;
        _interrupts = options.ForwardInterrupt ? new InterruptForwarder() : null;
    }

    /// <summary>Gets the default engine, which lives as long as the program.</summary>
    public static ProcessEngine Shared { get; } = new(new ProcessEngineOptions(), isShared: true);

    /// <summary>Gets how this engine starts and watches its children.</summary>
    /// <value>
    /// <see cref="EngineBackend.Native"/> or <see cref="EngineBackend.Portable"/> (see
    /// <see cref="ProcessEngineOptions.Backend"/>), or <see cref="EngineBackend.Simulated"/> for an engine of
    /// <see cref="Simulate"/>.
    /// </value>
    public EngineBackend Backend =>
        _simulator is null ? EngineParts.BackendFor(_options) : EngineBackend.Simulated;

    /// <summary>
    /// Gets the number of threads of this library that currently run for the engine; 0 before the first start.
    /// </summary>
    public int ThreadCount => _parts is { } parts ? parts.Backend.ThreadCount + parts.Streams.Threads.Count : 0;

    /// <summary>Gets the number of children that have been started and have not ended yet.</summary>
    public int LiveChildren => _parts?.Lives.Count ?? 0;

    /// <summary>Gets the number of children that have been started so far.</summary>
    public long StartedChildren => Interlocked.Read(ref _startedChildren.Value);

    /// <summary>Returns the backend and the numbers of children.</summary>
    public override string ToString() => $"{Backend}: {LiveChildren} of {StartedChildren} children run";

    /// <summary>
    /// Gets whether a start calls user code: <see cref="ProcessEngineOptions.Trace"/>, or a simulation.
    /// </summary>
    internal bool IsTraced => _options.Trace is not null || _simulator is not null;

    /// <summary>Starts a command, and retries for a while if the system lacks a resource.</summary>
    internal ChildLife Start(StartOrder order)
    {
        ChildLife life = Create(order);
        life.Start();
        return life;
    }

    /// <summary>Runs a command on the calling thread. The token stops it.</summary>
    internal ProcessResult Run(ProcessCommand command, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        command = Hidden(command);
        ChildLife life = Create(new StartOrder(command));
        using ChildProcess child = new(life);
        using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
            static life => ((ChildLife)life!).Stop(StopCause.CancellationToken), life);
        try
        {
            life.Start();
        }
        catch (Exception) when (life.Completion.StartFailure is not null && cancellationToken.IsCancellationRequested)
        {
            throw ResultOfException.OfCancellation(command, result: null, cancellationToken);
        }

        life.AwaitEnd();
        return life.Completion.Result is { StoppedBy: StopCause.CancellationToken } result
            ? throw ResultOfException.OfCancellation(command, result, cancellationToken)
            : life.Wait();
    }

    /// <summary>Runs a command without a thread that waits. The task reports every failure.</summary>
    internal Task<ProcessResult> RunAsync(ProcessCommand command, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return Task.FromCanceled<ProcessResult>(cancellationToken);
        }

        try
        {
            Trace(command);
            ChildLife life = ChildLife.Create(new StartOrder(command), Parts(command));
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

    /// <summary>Creates a run that has yet to be started.</summary>
    internal ChildLife Create(StartOrder order)
    {
        EngineParts parts = Prepare(order.Command);
        ChildLife life = ChildLife.Create(order, parts);

        // From here on the child keeps the threads alive.
        GC.KeepAlive(this);
        return life;
    }

    /// <summary>Traces the start of a command, and creates the parts of the engine that it needs.</summary>
    internal EngineParts Prepare(ProcessCommand command)
    {
        Trace(command);
        return _parts ?? StartRetry.Until(() => Parts(command));
    }

    /// <summary>Traces the start of a command.</summary>
    internal void Trace(ProcessCommand command)
    {
        if (_options.Trace is not { } trace)
        {
            return;
        }

        if (!Interlocked.Exchange(ref _hasTraced, true)
            && (_options.Backend, Backend) == (EngineBackend.Auto, EngineBackend.Portable)
            && ProcessBackend.NativeObstacle is { } obstacle)
        {
            trace(TraceLine.OfPortable(obstacle));
        }

        trace(TraceLine.Of(Hidden(command)));
    }

    /// <summary>Returns a command whose texts also hide the secrets of this engine.</summary>
    internal ProcessCommand Hidden(ProcessCommand command) => command.HiddenBy(Secrets);

    /// <summary>Gets the secrets to hide in all texts about the children.</summary>
    internal ImmutableArray<Secret> Secrets => _options.SecretList;

    /// <summary>Returns the parts that all children share, which the first child creates.</summary>
    /// <param name="first">
    /// The command that the error names if the parts cannot be created; null for a batch that has no command yet.
    /// </param>
    /// <exception cref="ProcessStartException">The system lacks a resource.</exception>
    internal EngineParts Parts(ProcessCommand? first)
    {
        try
        {
            return _parts ?? CreateParts(first);
        }
        catch (LaunchException exception)
        {
            throw new ProcessStartException(first?.HiddenBy(Secrets), exception);
        }
    }

    /// <summary>
    /// Notifies a batch of the disposal of the engine, at once if the engine has already been disposed.
    /// </summary>
    internal void Attach(BatchExecution batch)
    {
        bool isTooLate;
        lock (_gate)
        {
            _batches.Add(batch);
            isTooLate = _isDisposed;
        }

        if (isTooLate)
        {
            batch.OnEngineDispose();
        }
    }

    /// <summary>Forgets a batch that has ended.</summary>
    internal void Detach(BatchExecution batch)
    {
        lock (_gate)
        {
            _batches.Remove(batch);
        }
    }

    private EngineParts CreateParts(ProcessCommand? first)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_parts is null)
            {
                _firstUse = !_isShared ? null : first is null ? "a batch" : $"'{Hidden(first)}'";
                EngineParts parts = new(_options, CountStarts(), _simulator);
                _interrupts?.Watch(parts);
                _parts = parts;
            }

            return _parts;
        }
    }

    // Captures the counter alone, so that the parts do not refer to the engine.
    private Action CountStarts()
    {
        StrongBox<long> startedChildren = _startedChildren;
        return () => Interlocked.Increment(ref startedChildren.Value);
    }
}
