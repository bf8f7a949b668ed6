using ProcessRunner.Streams.Capture;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams;

/// <summary>What the streams of all children of one engine share.</summary>
/// <param name="captureBudget">In bytes.</param>
internal sealed class StreamServices(long captureBudget)
{
    /// <summary>Where receivers are called.</summary>
    public DeliveryThreads Threads { get; } = new();

    /// <summary>What captures of all children may take together.</summary>
    public CaptureBudget Budget => Segments.Budget;

    /// <summary>Where captures take their large segments from.</summary>
    public SegmentPool Segments { get; } = new(new CaptureBudget(captureBudget));
}
