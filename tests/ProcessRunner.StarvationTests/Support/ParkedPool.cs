using System;
using System.Threading;
using ProcessRunner.TestSupport;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>
/// Represents the smallest ThreadPool with every worker occupied: no queued work item runs before the end.
/// </summary>
/// <remarks>
/// More parking items are queued than workers may exist. A worker that woke before the limit was lowered, and that a
/// busy machine has kept from the queue, still takes one item regardless of the limit. If other work occupies a worker,
/// one parking item stays in the queue, and that worker takes it as soon as it is free, before any later item. The
/// witness is queued last and can therefore run only after the workers are released. The other work of such a worker,
/// usually the test runner's, counts as a completed work item. Between that work and the parking item the pool counts
/// the worker as available for a moment. The witness alone therefore shows whether the pool is parked.
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

    /// <summary>Gets whether no worker has been free since the beginning.</summary>
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
