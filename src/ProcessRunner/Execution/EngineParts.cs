using System;
using ProcessRunner.Backends;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>What the children of one engine share, and what ends with it.</summary>
internal sealed class EngineParts(ProcessEngineOptions options, ProcessCommand first, Action started) : IDisposable
{
    /// <summary>Starts and watches the children.</summary>
    public ProcessBackend Backend { get; } = ProcessBackend.Create(options, first);

    /// <summary>Serves their streams, and calls user code.</summary>
    public StreamServices Streams { get; } = new(options.CaptureBudget);

    /// <summary>A child has been started.</summary>
    public void OnStarted() => started();

    /// <summary>Ends the threads; every child has ended.</summary>
    public void Dispose()
    {
        Streams.Threads.Dispose();
        Backend.Dispose();
    }
}
