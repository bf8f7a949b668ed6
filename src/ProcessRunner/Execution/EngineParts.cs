using System;
using System.Collections.Immutable;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Simulated;
using ProcessRunner.Execution.Telemetry;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution;

/// <summary>Represents the parts that the children of one engine share, and that end with the engine.</summary>
internal sealed class EngineParts : IDisposable
{
    private const string UsePortableBackend = "ProcessRunner.UsePortableBackend";

    private readonly Action _started;

    /// <summary>Creates the parts of an engine.</summary>
    /// <param name="options">The options of the engine.</param>
    /// <param name="started">
    /// The callback for each started child. It must not reference the engine: the threads reference this object, and
    /// would keep the engine from being collected.
    /// </param>
    /// <exception cref="LaunchException">The system lacks a resource.</exception>
    /// <exception cref="PlatformNotSupportedException">This system is not supported.</exception>
    /// <param name="simulator">Answers the starts in place of the system, or null.</param>
    public EngineParts(ProcessEngineOptions options, Action started, ISimulator? simulator)
        : this(options, started, CreateBackend(options, simulator), static backend => new DeliveryThreads(backend))
    {
    }

    /// <summary>Creates the parts of an engine over a given backend.</summary>
    /// <param name="options">The options of the engine.</param>
    /// <param name="started">The callback for each started child.</param>
    /// <param name="backend">The backend, which the parts own from now on.</param>
    /// <param name="createThreads">Creates the threads for user code.</param>
    /// <exception cref="LaunchException">The system lacks a resource.</exception>
    public EngineParts(
        ProcessEngineOptions options,
        Action started,
        ProcessBackend backend,
        Func<ProcessBackend, IDeliveryThreads> createThreads)
    {
        _started = started;
        Backend = backend;
        try
        {
            OwedEnds = new OwedEnds(Backend);
            Streams = new StreamServices(options.CaptureBudget, Backend, createThreads(Backend));
            EngineRegistry.Add(this);
        }
        catch (OutOfMemoryException)
        {
            Backend.Dispose();
            Streams?.Threads.Dispose();
            throw Backend.OutOfResources();
        }

        Secrets = options.SecretList;
        Forgotten = options.ForgottenChild is { } report
            ? new ForgottenChildren(report, options.KeepStartStacks)
            : null;
        Guard = options is { KillChildrenOnSignal: true, KillChildrenOnExit: false }
            && Backend.HostGuard is HostGuard guard
            ? new EngineGuard(Backend, guard, Lives)
            : null;
    }

    /// <summary>Gets the backend, which starts and watches the children.</summary>
    public ProcessBackend Backend { get; }

    /// <summary>Gets the services that serve the streams and call user code.</summary>
    public StreamServices Streams { get; }

    /// <summary>Gets the runs that could not report their end for lack of memory.</summary>
    public OwedEnds OwedEnds { get; }

    /// <summary>
    /// Gets the guard that kills the children if a signal ends this process, or null if the children are not to be
    /// killed, are killed in any case, or the backend cannot.
    /// </summary>
    public EngineGuard? Guard { get; }

    /// <summary>Gets the secrets to hide in all texts about the children.</summary>
    public ImmutableArray<Secret> Secrets { get; }

    /// <summary>Gets the watch over children whose results no code looks at, or null.</summary>
    public ForgottenChildren? Forgotten { get; }

    /// <summary>Gets the runs that have not ended.</summary>
    public LiveRuns Lives { get; } = new();

    /// <summary>Reports the start of a child.</summary>
    public void OnStarted() => _started();

    /// <summary>Ends the threads. Every child has ended.</summary>
    public void Dispose() => End(static () => { });

    /// <inheritdoc cref="Dispose"/>
    /// <param name="backendEnded">
    /// The code to call in between: the timers have ended, no thread of the backend posts a job any longer, and each
    /// job that is posted now gets a thread.
    /// </param>
    public void End(Action backendEnded)
    {
        EngineRegistry.Remove(this);
        OwedEnds.Dispose();
        Backend.Dispose();
        backendEnded();
        Streams.Threads.Dispose();
    }

    /// <summary>
    /// Returns the backend for an engine: native or portable. The switch <c>ProcessRunner.UsePortableBackend</c> makes
    /// <see cref="EngineBackend.Auto"/> portable; otherwise it is native where there is a native backend.
    /// </summary>
    public static EngineBackend BackendFor(ProcessEngineOptions options)
    {
        if (options.Backend != EngineBackend.Auto)
        {
            return options.Backend;
        }

        bool isPortable = AppContext.TryGetSwitch(UsePortableBackend, out bool isAsked) && isAsked;
        return ProcessBackend.HasNative && !isPortable ? EngineBackend.Native : EngineBackend.Portable;
    }

    private static ProcessBackend CreateBackend(ProcessEngineOptions options, ISimulator? simulator) =>
        ProcessBackend.Create(new BackendOptions(
            simulator is null && BackendFor(options) == EngineBackend.Native,
            options.ReactorCount,
            options.TakeEnvironmentOnce,
            options.InheritDescriptorLimit,
            options.KillChildrenOnExit,
            simulator));
}
