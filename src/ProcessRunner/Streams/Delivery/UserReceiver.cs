using System;
using System.Threading;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Represents a receiver that calls user code, and makes no further call once the delivery is abandoned.
/// </summary>
internal abstract class UserReceiver : ByteReceiver
{
    private CallGate _gate;

    public override bool CallsUser => true;

    public override void Close() => _gate.Close();

    /// <summary>Calls user code unless the delivery has been abandoned.</summary>
    /// <param name="state">The argument of the call.</param>
    /// <param name="call">The call.</param>
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
            // The next call sees no effects of this one.
            ExecutionContext.Restore(context);
            SynchronizationContext.SetSynchronizationContext(null);
            _gate.Leave();
        }
    }
}
