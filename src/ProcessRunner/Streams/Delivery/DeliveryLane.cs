using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Schedules the turns of the receivers of one run. One receiver at a time takes one chunk, in the order of the
/// requests, so that user code is never called for both streams of a child at once. A receiver that calls no user code
/// has a lane of its own.
/// </summary>
/// <remarks>
/// The child's gate guards all fields. One delivery thread at a time serves the lane. A receiver that is abandoned
/// during its turn loses the turn, and another thread serves the other receivers. The thread inside the abandoned
/// receiver leaves when the receiver returns.
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

    /// <summary>Gets the sink whose turn it is, or null. Requires the gate.</summary>
    public DeliverySink? Current
    {
        get
        {
            _run.Child.AssertGate();
            return _current;
        }
    }

    /// <summary>Requests a turn. Must not be repeated until the turn has come. Requires the gate.</summary>
    public void Ask(DeliverySink sink)
    {
        _run.Child.AssertGate();
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

    /// <summary>Ends the turn of a sink whose receiver does not return. Requires the gate.</summary>
    public void GiveUp(DeliverySink sink)
    {
        _run.Child.AssertGate();
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

    // Runs on a delivery thread.
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
        using (Uninterruptible.Lock(_run.Child.Gate))
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
