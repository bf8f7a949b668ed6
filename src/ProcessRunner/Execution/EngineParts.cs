using System;
using System.Linq;
using ProcessRunner.Backends;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>What the children of one engine share, and what ends with it.</summary>
internal sealed class EngineParts : IDisposable
{
    private readonly Action _started;

    /// <param name="options">What the engine was asked for.</param>
    /// <param name="first">What is to be started first, and is not if there is no engine for it.</param>
    /// <param name="started">
    /// Is told of each child that has been started. Must not lead to the engine: the threads lead here, and it could never be garbage.
    /// </param>
    /// <exception cref="ProcessStartException">The system is short of something.</exception>
    /// <exception cref="PlatformNotSupportedException">This system is not supported.</exception>
    public EngineParts(ProcessEngineOptions options, ProcessCommand first, Action started)
    {
        _started = started;
        Backend = ProcessBackend.Create(options, first);
        try
        {
            OwedEnds = new OwedEnds(Backend);
            Streams = new StreamServices(options.CaptureBudget, Backend);
        }
        catch (OutOfMemoryException)
        {
            Backend.Dispose();
            throw Backend.OutOfResources(first);
        }

        Guard = options is { KillChildrenOnSignal: true, KillChildrenOnExit: false } ? new EngineGuard(Backend) : null;
    }

    /// <summary>Starts and watches the children.</summary>
    public ProcessBackend Backend { get; }

    /// <summary>Serves their streams, and calls user code.</summary>
    public StreamServices Streams { get; }

    /// <summary>The runs that could not tell of their end for want of memory.</summary>
    public OwedEnds OwedEnds { get; }

    /// <summary>Has the children killed if a signal ends this process; null if they are not to be, or are in any case.</summary>
    public EngineGuard? Guard { get; }

    /// <summary>The runs that have not ended.</summary>
    public ChildLife[] Lives => [.. Backend.Watched().Cast<ChildLife>()];

    /// <summary>A child has been started.</summary>
    public void OnStarted() => _started();

    /// <summary>Ends the threads; every child has ended.</summary>
    public void Dispose()
    {
        OwedEnds.Dispose();
        Streams.Threads.Dispose();
        Backend.Dispose();
    }
}
