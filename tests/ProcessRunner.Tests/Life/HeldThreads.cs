using System.Collections.Generic;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Tests.Life;

/// <summary>Keeps every job, until the test does it on its own thread.</summary>
internal sealed class HeldThreads : IDeliveryThreads
{
    private readonly Queue<DeliveryJob> _jobs = [];

    public int Count => 0;

    public void Post(DeliveryJob job)
    {
        lock (_jobs)
        {
            _jobs.Enqueue(job);
        }
    }

    /// <summary>Does all jobs.</summary>
    /// <returns>How many there were.</returns>
    public int DoAll()
    {
        int count = 0;
        for (; Next() is DeliveryJob job; count++)
        {
            job.Action();
        }

        return count;
    }

    public void Dispose()
    {
    }

    private DeliveryJob? Next()
    {
        lock (_jobs)
        {
            return _jobs.TryDequeue(out DeliveryJob? job) ? job : null;
        }
    }
}
