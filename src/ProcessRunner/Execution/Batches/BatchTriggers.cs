using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Stops a batch from outside: by cancellation tokens and by Ctrl-C. <c>_gate</c> guards the registrations; no other
/// code is called with it held.
/// </summary>
internal sealed class BatchTriggers : IDisposable
{
    private readonly Lock _gate = new();
    private CancellationToken _first;
    private CancellationToken _second;
    private CancellationTokenRegistration _firstRegistration;
    private CancellationTokenRegistration _secondRegistration;
    private PosixSignalRegistration? _interrupt;
    private int _interrupts;
    private bool _isDisposed;

    /// <summary>Gets the token that was cancelled.</summary>
    public CancellationToken Cancelled => _first.IsCancellationRequested ? _first : _second;

    /// <summary>Registers the triggers that stop the batch. Stops it at once if a token is already cancelled.</summary>
    public void Watch(BatchExecution batch, bool stopsOnInterrupt, CancellationToken first, CancellationToken second)
    {
        _first = first;
        _second = second;
        CancellationTokenRegistration firstRegistration = first.UnsafeRegister(StopForToken, batch);
        CancellationTokenRegistration secondRegistration = second.UnsafeRegister(StopForToken, batch);
        PosixSignalRegistration? interrupt = stopsOnInterrupt
            ? PosixSignalRegistration.Create(PosixSignal.SIGINT, context => StopForInterrupt(batch, context))
            : null;
        lock (_gate)
        {
            _firstRegistration = firstRegistration;
            _secondRegistration = secondRegistration;
            _interrupt = interrupt;
            if (!_isDisposed)
            {
                return;
            }
        }

        Unregister();
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
        }

        Unregister();
    }

    private static void StopForToken(object? batch) =>
        ((BatchExecution)batch!).Stop(StopCause.CancellationToken, isKill: false);

    // Does not wait for a running callback.
    private void Unregister()
    {
        _firstRegistration.Unregister();
        _secondRegistration.Unregister();
        _interrupt?.Dispose();
    }

    // Runs on a thread that the runtime creates for the signal.
    private void StopForInterrupt(BatchExecution batch, PosixSignalContext context)
    {
        context.Cancel = true;
        batch.Stop(StopCause.Interrupt, isKill: Interlocked.Increment(ref _interrupts) > 1);
    }
}
