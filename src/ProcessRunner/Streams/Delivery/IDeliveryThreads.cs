using System;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Represents the threads on which user code runs.</summary>
internal interface IDeliveryThreads : IDisposable
{
    /// <summary>Gets the number of threads.</summary>
    int Count { get; }

    /// <summary>
    /// Queues a job, which runs as soon as a thread is free, or is refused if it does not wait for one. Allocates no
    /// memory. A job that is already in the queue runs once.
    /// </summary>
    void Post(DeliveryJob job);
}
