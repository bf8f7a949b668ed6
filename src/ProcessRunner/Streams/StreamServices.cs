using System;
using System.IO;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Capture;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams;

/// <summary>What the streams of all children of one engine share.</summary>
/// <param name="captureBudget">In bytes.</param>
/// <param name="backend">Has the timers.</param>
/// <exception cref="OutOfMemoryException">There is no thread to be had.</exception>
internal sealed class StreamServices(long captureBudget, ProcessBackend backend)
{
    /// <summary>Where receivers are called.</summary>
    public DeliveryThreads Threads { get; } = new(backend);

    /// <summary>Makes a file for what a capture does not hold in memory.</summary>
    /// <exception cref="IOException">It cannot be made.</exception>
    public TemporaryFile CreateTemporaryFile() => backend.CreateTemporaryFile();

    /// <summary>Where captures take their large segments from.</summary>
    public SegmentPool Segments { get; } = new(new CaptureBudget(captureBudget));
}
