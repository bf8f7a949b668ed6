using System;
using System.Threading;
using ProcessRunner.TestSupport;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>
/// The smallest ThreadPool with every worker occupied: nothing that is queued to it runs before the end.
/// </summary>
/// <remarks>
/// More parking items are queued than workers may exist: one that had been woken before the limit was lowered, and that a
/// busy machine has kept from looking into the queue, still takes one item, whatever the limit is. A worker that somebody else occupies leaves one item in the
/// queue, which that worker takes as soon as it is free, before anything that is queued later: the witness, queued
/// last, can therefore only run once the workers are let go. What such a worker was doing, the test runner's work as a
/// rule, counts as a completed work item; between that and the parking item the pool counts it as available for a
/// moment, so the witness alone tells whether the pool is parked.
/// </remarks>
internal sealed class ParkedPool : IDisposable
{
    private static readonly int s_items = Environment.ProcessorCount + 64;

    private readonly PoolSettings _smallest = PoolSettings.Smallest();
    private readonly ManualResetEventSlim _release = new(initialState: false, spinCount: 0);
    private readonly CountdownEvent _left = new(s_items + 1);
    private int _witnessed;

    public ParkedPool()
    {
        for (int i = 0; i < s_items; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static pool => pool.Park(), this, preferLocal: false);
        }

        Eventually.Is(() => PoolSettings.AvailableWorkers == 0, "every worker of the ThreadPool is occupied");
        ThreadPool.UnsafeQueueUserWorkItem(static pool => pool.Witness(), this, preferLocal: false);
    }

    /// <summary>Whether no worker has been free since the beginning.</summary>
    public bool IsParked => Volatile.Read(ref _witnessed) == 0;

    public void Dispose()
    {
        _smallest.Dispose();
        using (PoolSettings.Free())
        {
            _release.Set();
            _left.Wait();
        }

        _left.Dispose();
        _release.Dispose();
    }

    private void Park()
    {
        _release.Wait();
        _left.Signal();
    }

    private void Witness()
    {
        Volatile.Write(ref _witnessed, 1);
        _left.Signal();
    }
}
