using System;
using System.Linq;
using System.Threading;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>
/// Sets how many workers the ThreadPool has and restores its settings at the end. The test runner blocks workers of
/// its own for as long as a test runs; these come on top, or the tests would be left with none.
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

    /// <summary>The workers that could still take a work item.</summary>
    public static int AvailableWorkers
    {
        get
        {
            ThreadPool.GetAvailableThreads(out int workers, out _);
            return workers;
        }
    }

    // A blocked worker is seen at every look, one that is about to finish is not.
    private static int BlockedWorkers => Enumerable.Range(0, 10).Min(_ =>
    {
        Thread.Sleep(1);
        ThreadPool.GetMaxThreads(out int maximum, out int _);
        return maximum - AvailableWorkers;
    });

    /// <summary>As a program finds it: a worker for each processor at once, and more when it sees fit.</summary>
    public static PoolSettings Free()
    {
        ThreadPool.GetMaxThreads(out int maximum, out _);
        return new PoolSettings(Environment.ProcessorCount + BlockedWorkers, maximum);
    }

    /// <summary>A worker for each processor and never more.</summary>
    public static PoolSettings Pinned()
    {
        int workers = Environment.ProcessorCount + BlockedWorkers;
        return new PoolSettings(workers, workers);
    }

    /// <summary>The fewest workers that the pool accepts, one for each processor, whoever occupies them.</summary>
    public static PoolSettings Smallest() => new(Environment.ProcessorCount, Environment.ProcessorCount);

    public void Dispose()
    {
        ThreadPool.SetMaxThreads(_maximum, _maximumOfPorts);
        ThreadPool.SetMinThreads(_minimum, _minimumOfPorts);
    }
}
