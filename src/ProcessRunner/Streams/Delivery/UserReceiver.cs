using System;
using System.Threading;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Represents a receiver that calls user code, and makes no further call once the delivery is abandoned. A call that
/// has begun is not waited for, even if its thread has yet to get to the user's code: nothing can tell the two apart.
/// Any thread may close it.
/// </summary>
internal abstract class UserReceiver : ByteReceiver
{
    private volatile bool _isClosed;
    private long _partsTaken;

    public override bool CallsUser => true;

    public override long PartsTaken => Volatile.Read(ref _partsTaken);

    public override void Close() => _isClosed = true;

    /// <summary>Calls user code unless the delivery has been abandoned.</summary>
    /// <param name="state">The argument of the call.</param>
    /// <param name="call">The call.</param>
    protected void Call<T>(T state, Action<T> call)
        where T : allows ref struct
    {
        if (_isClosed)
        {
            return;
        }

        ExecutionContext context = ExecutionContext.Capture()!;
        try
        {
            call(state);
            Volatile.Write(ref _partsTaken, _partsTaken + 1);
        }
        finally
        {
            // The next call sees no effects of this one.
            ExecutionContext.Restore(context);
            SynchronizationContext.SetSynchronizationContext(null);
        }
    }
}
