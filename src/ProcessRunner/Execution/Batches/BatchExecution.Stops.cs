using System;
using System.Threading.Tasks;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>How a batch is stopped: what waits is let go, and what runs is told, one child after the other.</summary>
internal sealed partial class BatchExecution
{
    /// <summary>Starts nothing more. Any thread; does not wait.</summary>
    /// <param name="cause">Kept if it is the first.</param>
    /// <param name="isKill">Whether what runs is killed at once, without its stop signal and grace.</param>
    /// <param name="stopsRunning">Whether what runs is stopped at all.</param>
    public void Stop(StopCause cause, bool isKill, bool stopsRunning = true)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _state.Stop(cause, stopsRunning, isKill);
            OnStopped();
            Settle();
        }

        StopRunning();
    }

    /// <summary>The engine is being disposed: nothing can be started any more.</summary>
    public void OnEngineDispose()
    {
        Fail(new ObjectDisposedException(nameof(ProcessEngine)));
        Stop(StopCause.EngineDispose, isKill: true);
    }

    /// <summary>The one who enumerates is gone: stops what runs, and waits until it is gone, too.</summary>
    public void Dispose()
    {
        if (StopForDispose())
        {
            BlockingWait.For(_ended.Task);
        }
    }

    /// <inheritdoc cref="Dispose"/>
    public ValueTask DisposeAsync() => StopForDispose() ? new ValueTask(_ended.Task) : ValueTask.CompletedTask;

    // False if there is nothing that could end: the batch has not come to its beginning.
    private bool StopForDispose()
    {
        bool hasBegun;
        using (Uninterruptible.Lock(_gate))
        {
            hasBegun = _parts is not null;
        }

        Stop(StopCause.Dispose, isKill: false);
        return hasBegun;
    }

    // One after the other, since a child's gate is never taken with ours held.
    private void StopRunning()
    {
        while (TakeToStop(out StopCause cause, out bool isKill) is BatchEntry entry)
        {
            Stop(entry.Life, cause, isKill);
        }
    }

    private BatchEntry? TakeToStop(out StopCause cause, out bool isKill)
    {
        using (Uninterruptible.Lock(_gate))
        {
            cause = _state.RunningStoppedBy;
            isKill = _state.Kills;
            return _state.TakeToStop();
        }
    }

    // One without a life has not come to its start, and is told there.
    private static void Stop(ChildLife? life, StopCause cause, bool isKill) =>
        life?.Stop(cause, isKill ? TimeSpan.Zero : life.Command.StopGrace);

    // With the gate held.
    private void OnStopped()
    {
        // The thread that reads the input may wait for us, or in the user's code, which must not be called from here.
        _input.Wake();
        _parts?.Streams.Threads.Post(_afterStop);
    }

    // On a delivery thread.
    private void AfterStop()
    {
        StopRunning();
        try
        {
            _input.Stop();
        }
        catch (Exception exception)
        {
            Fail(exception);
        }
    }
}
