using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// What stops a batch from outside: cancellation tokens, and Ctrl-C. <c>_gate</c> guards the registrations; it is held while
/// nothing else is called.
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

    /// <summary>The token that was cancelled.</summary>
    public CancellationToken Cancelled => _first.IsCancellationRequested ? _first : _second;

    /// <summary>Has the batch stopped from now on, or at once if a token has been cancelled before.</summary>
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

    // Does not wait for a callback that is under way.
    private void Unregister()
    {
        _firstRegistration.Unregister();
        _secondRegistration.Unregister();
        _interrupt?.Dispose();
    }

    // On a thread that the runtime makes for the signal.
    private void StopForInterrupt(BatchExecution batch, PosixSignalContext context)
    {
        context.Cancel = true;
        batch.Stop(StopCause.Interrupt, isKill: Interlocked.Increment(ref _interrupts) > 1);
    }
}
