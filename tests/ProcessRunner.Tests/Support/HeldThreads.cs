using System;
using System.Collections.Generic;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Execution;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Tests.Support;

/// <summary>
/// Holds back the jobs of an engine, as a busy machine does, until they are to run: on the thread that asks for it, or
/// on delivery threads as usual.
/// </summary>
internal sealed class HeldThreads : IDeliveryThreads
{
    private readonly IDeliveryThreads _threads;
    private readonly Queue<DeliveryJob> _held = new();
    private bool _isLetGo;

    private HeldThreads(IDeliveryThreads threads) => _threads = threads;

    public int Count => _threads.Count;

    /// <summary>Creates an engine whose jobs are held back.</summary>
    public static ProcessEngine Engine(out HeldThreads threads)
    {
        HeldThreads? held = null;
        ProcessEngineOptions options = new();
        bool isNative = EngineParts.BackendFor(options) == EngineBackend.Native;
        ProcessBackend backend = ProcessBackend.Create(new BackendOptions(
            isNative, options.ReactorCount, TakesEnvironmentOnce: false, InheritsDescriptorLimit: false,
            KillsChildrenOnExit: false));
        ProcessEngine engine = new(
            options, backend, backend => held = new HeldThreads(new DeliveryThreads(backend)));
        threads = held!;
        return engine;
    }

    public void Post(DeliveryJob job)
    {
        lock (_held)
        {
            if (_isLetGo)
            {
                _threads.Post(job);
            }
            else if (!_held.Contains(job))
            {
                _held.Enqueue(job);
                Monitor.PulseAll(_held);
            }
        }
    }

    /// <summary>Blocks until there is a job.</summary>
    public void AwaitJob()
    {
        lock (_held)
        {
            while (_held.Count == 0)
            {
                Monitor.Wait(_held);
            }
        }
    }

    /// <summary>Runs the jobs that are held back, on the calling thread.</summary>
    /// <returns>How many there were.</returns>
    public int RunHeld()
    {
        DeliveryJob[] jobs;
        lock (_held)
        {
            jobs = [.. _held];
            _held.Clear();
        }

        Array.ForEach(jobs, static job => job.Action());
        return jobs.Length;
    }

    /// <summary>Holds back nothing any longer.</summary>
    public void LetGo()
    {
        lock (_held)
        {
            _isLetGo = true;
            while (_held.TryDequeue(out DeliveryJob? job))
            {
                _threads.Post(job);
            }
        }
    }

    public void Dispose() => _threads.Dispose();
}
