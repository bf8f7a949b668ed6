using System.Threading;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Decides whether user code may still be called. Once the gate is closed, no call begins; a call that has begun is not
/// waited for. A field of a single owner, which makes one call at a time. Any thread can close it.
/// </summary>
internal struct CallGate
{
    private const int InCall = 1;
    private const int Closed = 2;

    private int _state;

    /// <summary>Begins a call.</summary>
    /// <returns>False if no further call may begin.</returns>
    public bool TryEnter() => Interlocked.CompareExchange(ref _state, InCall, 0) == 0;

    /// <summary>Ends the call.</summary>
    public void Leave() => Interlocked.And(ref _state, ~InCall);

    /// <summary>Closes the gate: no further call begins.</summary>
    public void Close() => Interlocked.Or(ref _state, Closed);
}
