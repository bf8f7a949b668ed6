using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Runs each job of a delivery thread as an event of the world, at any time and in any order.</summary>
internal sealed class SimulatedThreads(World world) : IDeliveryThreads
{
    private int _jobs;

    public int Count => 1;

    /// <summary>Gets the number of jobs that wait.</summary>
    public int Waiting { get; private set; }

    public void Post(DeliveryJob job)
    {
        if (!job.IsQueued)
        {
            job.IsQueued = true;
            Waiting++;
            world.Arm(new Happening("delivery thread", $"job {++_jobs}", () => Run(job)), world.Now);
        }
    }

    public void Dispose()
    {
    }

    private void Run(DeliveryJob job)
    {
        Waiting--;
        job.IsQueued = false;
        job.Action();
    }
}
