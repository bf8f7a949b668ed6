using System.IO;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Capture;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams;

/// <summary>Provides the services that the streams of all children of one engine share.</summary>
/// <param name="captureBudget">The budget of captures, in bytes.</param>
/// <param name="backend">The backend, which provides the temporary files.</param>
/// <param name="threads">The threads that call receivers.</param>
internal sealed class StreamServices(long captureBudget, ProcessBackend backend, IDeliveryThreads threads)
{
    /// <summary>Gets the threads that call receivers.</summary>
    public IDeliveryThreads Threads => threads;

    /// <summary>Gets what the backend provides itself; the streams pump the rest.</summary>
    public BackendCapabilities Capabilities => backend.Capabilities;

    /// <summary>Creates a file for the part of a capture that is not kept in memory.</summary>
    /// <exception cref="IOException">The file cannot be created.</exception>
    public TemporaryFile CreateTemporaryFile() => backend.CreateTemporaryFile();

    /// <summary>Gets the pool that provides the large segments of captures.</summary>
    public SegmentPool Segments { get; } = new(new CaptureBudget(captureBudget));
}
