using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>
/// Runs no child at all: waits for a task that a plain thread completes after the time. Work that blocks ThreadPool
/// workers in this way cannot be faster, because the pool adds workers at its own pace.
/// </summary>
internal sealed class WaitOnlyRunner : IChildRunner
{
    private readonly TimeSpan _time;
    private readonly BlockingCollection<PretendedChild> _started = [];

    public WaitOnlyRunner(TimeSpan time)
    {
        _time = time;
        new Thread(CompleteInOrder) { IsBackground = true }.Start();
    }

    public IRunningChild Start(ChildJob job)
    {
        PretendedChild child = new(job);
        _started.Add(child);
        return child;
    }

    private void CompleteInOrder()
    {
        foreach (PretendedChild child in _started.GetConsumingEnumerable())
        {
            TimeSpan rest = _time - Stopwatch.GetElapsedTime(child.StartedAt);
            if (rest > TimeSpan.Zero)
            {
                Thread.Sleep(rest);
            }

            child.Kill();
        }
    }

    private sealed class PretendedChild(ChildJob job) : IRunningChild
    {
        private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public long StartedAt { get; } = Stopwatch.GetTimestamp();

        public void Wait() => _end.Task.Wait();

        public ChildReport Report() => new(0, job.OutputBytes ?? 0, job.ErrorBytes);

        public void Kill() => _end.TrySetResult();

        public void Dispose()
        {
        }
    }
}
