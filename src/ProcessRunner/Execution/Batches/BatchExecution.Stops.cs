using System;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution.Batches;

/// <summary>Stops a batch: drops the waiting commands, and stops the running children one after the other.</summary>
internal sealed partial class BatchExecution
{
    /// <summary>Stops the batch, which starts nothing more. Thread-safe; does not wait.</summary>
    /// <param name="cause">The cause, kept if it is the first.</param>
    /// <param name="isKill">
    /// Whether the running children are killed at once, without their stop signal and grace period.
    /// </param>
    /// <param name="stopsRunning">Whether the running children are stopped at all.</param>
    /// <param name="failure">The exception of the batch, if the stop is one.</param>
    public void Stop(StopCause cause, bool isKill, bool stopsRunning = true, Exception? failure = null)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (!_state.Stop(cause, stopsRunning, isKill))
            {
                // All results are known, and nobody reads the input any longer.
                return;
            }

            _failure ??= failure;
            OnStopped();
            Settle();
        }

        StopRunning();
    }

    /// <summary>Handles the disposal of the engine: nothing can be started any more.</summary>
    public void OnEngineDispose() => Stop(
        StopCause.EngineDispose, isKill: true, failure: new ObjectDisposedException(nameof(ProcessEngine)));

    /// <summary>
    /// Handles the end of the engine's timers: settles what failed for lack of memory before, because no timer does.
    /// </summary>
    public void OnEngineEnded()
    {
        MemoryRetry.Do(this, static batch => batch.SettleState());
        using (Uninterruptible.Lock(_gate))
        {
            Settle();
        }
    }

    /// <summary>
    /// Stops the batch at the caller's request, and waits for its end. Does not wait if it has not begun.
    /// </summary>
    public void StopAndWait()
    {
        if (Stop(StopCause.Request))
        {
            AwaitEnd();
        }
    }

    /// <inheritdoc cref="StopAndWait"/>
    public Task StopAndWaitAsync() => Stop(StopCause.Request) ? _ended.Task : Task.CompletedTask;

    /// <summary>Blocks the calling thread until the batch has ended.</summary>
    public void AwaitEnd() => BlockingWait.For(_ended.Task);

    /// <summary>
    /// Handles the end of the enumeration: stops the running children, and waits until they are gone.
    /// </summary>
    public void Dispose()
    {
        if (Stop(StopCause.Dispose))
        {
            AwaitEnd();
        }
    }

    /// <inheritdoc cref="Dispose"/>
    public ValueTask DisposeAsync() => Stop(StopCause.Dispose) ? new ValueTask(_ended.Task) : ValueTask.CompletedTask;

    /// <summary>Stops a batch that has begun and that nobody can enumerate any longer. Does not wait.</summary>
    public void StopForgotten()
    {
        bool isUnderWay;
        using (Uninterruptible.Lock(_gate))
        {
            isUnderWay = _parts is not null && !_state.IsEnding;
        }

        if (isUnderWay)
        {
            Stop(StopCause.Dispose, isKill: false);
        }
    }

    // Returns false if nothing can end because the batch has not begun.
    private bool Stop(StopCause cause)
    {
        bool hasBegun;
        using (Uninterruptible.Lock(_gate))
        {
            hasBegun = _parts is not null;
        }

        Stop(cause, isKill: false);
        return hasBegun;
    }

    // One after the other, because a child's gate is never acquired with our gate held.
    private void StopRunning()
    {
        while (TryTakeToStop(out ChildLife? life, out StopCause cause, out bool isKill))
        {
            Stop(life, cause, isKill);
        }
    }

    // A command without a life has not reached its start, which checks for the stop itself.
    private bool TryTakeToStop(out ChildLife? life, out StopCause cause, out bool isKill)
    {
        using (Uninterruptible.Lock(_gate))
        {
            BatchEntry? entry = _state.TakeToStop();
            life = entry?.Life;
            cause = _state.RunningStoppedBy;
            isKill = _state.Kills;
            return entry is not null;
        }
    }

    private void Stop(ChildLife? life, StopCause cause, bool isKill) => life?.Stop(
        cause,
        isKill ? TimeSpan.Zero : life.Command.WholeStopGrace,
        cause == StopCause.BatchTimeout ? _options.Timeout : null);

    private void SettleState()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _state.Settle();
        }
    }

    // Requires the gate.
    private void OnStopped()
    {
        Uninterruptible.AssertHeld(_gate);
        // The thread that reads the input may be waiting for us, or be in user code, which must not be called from
        // here.
        _input.Wake();
        _parts?.Streams.Threads.Post(_afterStop);
    }

    // Runs on a delivery thread.
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
