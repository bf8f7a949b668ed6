using System;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Capture;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution;

/// <summary>What the children of one engine share, and what ends with it.</summary>
internal sealed class EngineParts(ProcessEngineOptions options, ProcessCommand first) : IDisposable
{
    /// <summary>Starts and watches the children.</summary>
    public ProcessBackend Backend { get; } = ProcessBackend.Create(options, first);

    /// <summary>Calls user code.</summary>
    public DeliveryThreads Threads { get; } = new();

    /// <summary>Limits the memory of what the children write.</summary>
    public CaptureBudget Budget { get; } = new(options.CaptureBudget);

    /// <summary>Ends the threads; every child has ended.</summary>
    public void Dispose()
    {
        Threads.Dispose();
        Backend.Dispose();
    }
}
