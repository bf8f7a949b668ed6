using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// The turns of the receivers of one run: one at a time takes one chunk, in the order in which they ask. So user code is never
/// called for both streams of a child at once. A receiver that calls none has a lane to itself.
/// </summary>
/// <remarks>
/// All fields are guarded by the child's gate. One delivery thread at a time serves the lane. A receiver that is given up in the
/// middle of its turn loses the turn, and another thread serves the others; the one that waits for it leaves when it comes back.
/// </remarks>
internal sealed class DeliveryLane
{
    private readonly RunStreams _run;
    private readonly DeliveryJob _serve;
    private DeliverySink? _first;
    private DeliverySink? _last;
    private DeliverySink? _current;
    private long _turn;
    private bool _isServed;

    public DeliveryLane(RunStreams run)
    {
        _run = run;
        _serve = new DeliveryJob(Serve, run.Context);
    }

    /// <summary>The one whose turn it is, or null. With the gate held.</summary>
    public DeliverySink? Current => _current;

    /// <summary>Asks for a turn, once until it has come. With the gate held.</summary>
    public void Ask(DeliverySink sink)
    {
        if (_last is null)
        {
            _first = sink;
        }
        else
        {
            _last.NextInLane = sink;
        }

        _last = sink;
        ServeUnlessServed();
    }

    /// <summary>Takes its turn from one that does not come back. With the gate held.</summary>
    public void GiveUp(DeliverySink sink)
    {
        if (_current == sink)
        {
            _current = null;
            _turn++;
            _isServed = false;
            if (_first is not null)
            {
                ServeUnlessServed();
            }
        }
    }

    private void ServeUnlessServed()
    {
        if (!_isServed)
        {
            _isServed = true;
            _run.Services.Threads.Post(_serve);
        }
    }

    // On a delivery thread.
    private void Serve()
    {
        DeliverySink? sink;
        for (long turn = -1; (sink = NextTurn(ref turn)) is not null;)
        {
            sink.TakeTurn();
        }
    }

    private DeliverySink? NextTurn(ref long turn)
    {
        using (Uninterruptible.Lock(_run.Child))
        {
            if (turn >= 0 && turn != _turn)
            {
                return null;
            }

            _current = _first;
            _isServed = _first is not null;
            if (_first is DeliverySink sink)
            {
                _first = sink.NextInLane;
                _last = _first is null ? null : _last;
                sink.NextInLane = null;
            }

            turn = ++_turn;
            return _current;
        }
    }
}
