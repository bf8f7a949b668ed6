using System;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Faults;

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

    /// <summary>Gets the token that was canceled.</summary>
    public CancellationToken Canceled => _first.IsCancellationRequested ? _first : _second;

    /// <summary>Registers the triggers that stop the batch. Stops it at once if a token is already canceled.</summary>
    /// <exception cref="OutOfMemoryException">
    /// A trigger cannot be registered; those that were registered remain until the disposal.
    /// </exception>
    public void Watch(BatchExecution batch, bool stopsOnInterrupt, CancellationToken first, CancellationToken second)
    {
        _first = first;
        _second = second;
        PosixSignalRegistration? interrupt = null;
        CancellationTokenRegistration firstRegistration = default;
        CancellationTokenRegistration secondRegistration = default;
        try
        {
            firstRegistration = first.UnsafeRegister(StopForToken, batch);
            secondRegistration = second.UnsafeRegister(StopForToken, batch);
            FaultPoint.AllocateManaged();
            interrupt = stopsOnInterrupt
                ? PosixSignalRegistration.Create(PosixSignal.SIGINT, context => StopForInterrupt(batch, context))
                : null;
        }
        finally
        {
            Keep(firstRegistration, secondRegistration, interrupt);
        }
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

    // The batch can have ended before its triggers are registered.
    private void Keep(
        CancellationTokenRegistration first,
        CancellationTokenRegistration second,
        PosixSignalRegistration? interrupt)
    {
        lock (_gate)
        {
            _firstRegistration = first;
            _secondRegistration = second;
            _interrupt = interrupt;
            if (!_isDisposed)
            {
                return;
            }
        }

        Unregister();
    }

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
