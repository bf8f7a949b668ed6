using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.Execution.Batches;

/// <summary>What stops a batch from outside: cancellation tokens, and Ctrl-C. Disposed once the batch has ended.</summary>
internal sealed class BatchTriggers : IDisposable
{
    private readonly CancellationToken _first;
    private readonly CancellationToken _second;
    private readonly CancellationTokenRegistration _firstRegistration;
    private readonly CancellationTokenRegistration _secondRegistration;
    private readonly PosixSignalRegistration? _interrupt;
    private int _interrupts;

    public BatchTriggers(BatchExecution batch, bool stopsOnInterrupt, CancellationToken first, CancellationToken second)
    {
        _first = first;
        _second = second;
        _firstRegistration = first.UnsafeRegister(StopForToken, batch);
        _secondRegistration = second.UnsafeRegister(StopForToken, batch);
        _interrupt = stopsOnInterrupt
            ? PosixSignalRegistration.Create(PosixSignal.SIGINT, context => StopForInterrupt(batch, context))
            : null;
    }

    /// <summary>The token that was cancelled.</summary>
    public CancellationToken Cancelled => _first.IsCancellationRequested ? _first : _second;

    public void Dispose()
    {
        _firstRegistration.Unregister();
        _secondRegistration.Unregister();
        _interrupt?.Dispose();
    }

    private static void StopForToken(object? batch) =>
        ((BatchExecution)batch!).Stop(StopCause.CancellationToken, isKill: false);

    // On a thread that the runtime makes for the signal.
    private void StopForInterrupt(BatchExecution batch, PosixSignalContext context)
    {
        context.Cancel = true;
        batch.Stop(StopCause.Interrupt, isKill: Interlocked.Increment(ref _interrupts) > 1);
    }
}
