using System;
using System.Linq;
using System.Threading;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>
/// Sets the number of ThreadPool workers and restores the settings at the end. The test runner blocks workers of its
/// own during a test. They are added to the number, or the tests would have no worker left.
/// </summary>
internal sealed class PoolSettings : IDisposable
{
    private readonly int _minimum;
    private readonly int _minimumOfPorts;
    private readonly int _maximum;
    private readonly int _maximumOfPorts;

    private PoolSettings(int minimum, int maximum)
    {
        ThreadPool.GetMinThreads(out _minimum, out _minimumOfPorts);
        ThreadPool.GetMaxThreads(out _maximum, out _maximumOfPorts);
        if (!ThreadPool.SetMinThreads(minimum, _minimumOfPorts)
            || !ThreadPool.SetMaxThreads(int.Max(maximum, minimum), _maximumOfPorts))
        {
            Dispose();
            throw new InvalidOperationException($"The ThreadPool does not accept {minimum} to {maximum} workers.");
        }
    }

    /// <summary>Gets the number of workers that could still take a work item.</summary>
    public static int AvailableWorkers
    {
        get
        {
            ThreadPool.GetAvailableThreads(out int workers, out _);
            return workers;
        }
    }

    // Every look finds a blocked worker, but not a worker that is about to finish.
    private static int BlockedWorkers => Enumerable.Range(0, 10).Min(_ =>
    {
        Thread.Sleep(1);
        ThreadPool.GetMaxThreads(out int maximum, out int _);
        return maximum - AvailableWorkers;
    });

    /// <summary>
    /// Sets the defaults of a program: at once a worker for each processor, and more at the pool's discretion.
    /// </summary>
    public static PoolSettings Free()
    {
        ThreadPool.GetMaxThreads(out int maximum, out _);
        return new PoolSettings(Environment.ProcessorCount + BlockedWorkers, maximum);
    }

    /// <summary>Sets exactly one worker for each processor.</summary>
    public static PoolSettings Pinned()
    {
        int workers = Environment.ProcessorCount + BlockedWorkers;
        return new PoolSettings(workers, workers);
    }

    /// <summary>
    /// Sets the smallest number of workers that the pool accepts: one for each processor, including occupied workers.
    /// </summary>
    public static PoolSettings Smallest() => new(Environment.ProcessorCount, Environment.ProcessorCount);

    public void Dispose()
    {
        ThreadPool.SetMaxThreads(_maximum, _maximumOfPorts);
        ThreadPool.SetMinThreads(_minimum, _minimumOfPorts);
    }
}
