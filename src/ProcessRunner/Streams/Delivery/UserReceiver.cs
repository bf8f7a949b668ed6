using System;
using System.Threading;

namespace ProcessRunner.Streams.Delivery;

/// <summary>A receiver that calls user code, which is not called any more once the delivery has been given up.</summary>
internal abstract class UserReceiver : ByteReceiver
{
    private CallGate _gate;

    public override bool CallsUser => true;

    public override void Close() => _gate.Close();

    /// <summary>Calls user code, unless the delivery has been given up.</summary>
    /// <param name="state">What the call is made with.</param>
    /// <param name="call">Makes the call.</param>
    protected void Call<T>(T state, Action<T> call)
        where T : allows ref struct
    {
        if (!_gate.TryEnter())
        {
            return;
        }

        ExecutionContext context = ExecutionContext.Capture()!;
        try
        {
            call(state);
        }
        finally
        {
            // The next call sees nothing of this one.
            ExecutionContext.Restore(context);
            SynchronizationContext.SetSynchronizationContext(null);
            _gate.Leave();
        }
    }
}
