using System.Threading;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Whether user code may be called still: no call begins once it is closed, and one that has begun is not waited for. A field of
/// its one owner, who makes one call at a time; anybody closes it.
/// </summary>
internal struct CallGate
{
    private const int InCall = 1;
    private const int Closed = 2;

    private int _state;

    /// <summary>Begins a call.</summary>
    /// <returns>False if none may be made any more.</returns>
    public bool TryEnter() => Interlocked.CompareExchange(ref _state, InCall, 0) == 0;

    /// <summary>The call is over.</summary>
    public void Leave() => Interlocked.And(ref _state, ~InCall);

    /// <summary>Lets no further call begin.</summary>
    public void Close() => Interlocked.Or(ref _state, Closed);
}
