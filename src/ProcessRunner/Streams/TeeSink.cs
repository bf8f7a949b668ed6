using System;
using System.Linq;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams;

/// <summary>
/// Passes every byte to several sinks. A slow receiver slows down the child, and thereby the other receivers. A
/// receiver that takes nothing at all for some seconds is cut off, and the others go on without it.
/// </summary>
/// <remarks>
/// While the sink is full, it looks at its receivers once a second. It counts the looks in a row that find nothing
/// taken, not the time: while this process is stopped, nobody can take anything.
/// </remarks>
internal sealed class TeeSink(StreamSink[] sinks) : StreamSink
{
    private const int MostIdleLooks = 5;

    private static readonly TimeSpan s_betweenLooks = TimeSpan.FromSeconds(1);

    private readonly DeliverySink[] _deliveries = [.. sinks.OfType<DeliverySink>()];
    private readonly long[] _taken = new long[sinks.Length];
    private readonly int[] _idleLooks = new int[sinks.Length];
    private long _nextLook = MonotonicClock.Never;

    public override Span<byte> GetRoom() => default;

    public override bool IsFull => Array.Exists(sinks, sink => sink.IsFull);

    public override bool IsDelivered => Array.TrueForAll(sinks, sink => sink.IsDelivered);

    public override ExceptionDispatchInfo? Failure =>
        sinks.Select(sink => sink.Failure).FirstOrDefault(failure => failure is not null);

    public override long Deadline
    {
        get
        {
            long first = _nextLook;
            foreach (DeliverySink delivery in _deliveries)
            {
                first = Math.Min(first, delivery.Deadline);
            }

            return first;
        }
    }

    public override void Commit(int count)
    {
    }

    public override void Append(ReadOnlySpan<byte> bytes)
    {
        TotalBytes += bytes.Length;
        foreach (StreamSink sink in sinks)
        {
            sink.Append(bytes);
        }

        if (_nextLook == MonotonicClock.Never && IsFull)
        {
            Look();
            Array.Clear(_idleLooks);
            _nextLook = MonotonicClock.In(s_betweenLooks);
        }
    }

    public override void OnDeadline(long now)
    {
        foreach (DeliverySink delivery in _deliveries)
        {
            delivery.OnDeadline(now);
        }

        if (now >= _nextLook)
        {
            Look();
            CutOffIdle();
            _nextLook = IsFull ? MonotonicClock.After(now, s_betweenLooks) : MonotonicClock.Never;
        }
    }

    public override void End() => Array.ForEach(sinks, sink => sink.End());

    public override void Abandon() => Array.ForEach(sinks, sink => sink.Abandon());

    public override void LetGo()
    {
        foreach (StreamSink sink in sinks)
        {
            sink.LetGo();
        }
    }

    public override CapturedOutput Captured(Decoding decoding, bool isHeldOpen) =>
        sinks.Select(sink => sink.Captured(decoding, isHeldOpen)).MaxBy(captured => captured.Kept)!;

    private void Look()
    {
        for (int i = 0; i < _deliveries.Length; i++)
        {
            long taken = _deliveries[i].Taken;

            // A receiver held up by another gets its own chance, once its turn comes or the other is cut off.
            bool isIdle = taken == _taken[i] && _deliveries[i].HeldUpBy == _deliveries[i];
            _idleLooks[i] = isIdle ? _idleLooks[i] + 1 : 0;
            _taken[i] = taken;
        }
    }

    private void CutOffIdle()
    {
        DeliverySink[] culprits =
            [.. _deliveries.Where(sink => sink.IsFull).Select(sink => sink.HeldUpBy).Where(IsIdle).Distinct()];
        foreach (DeliverySink culprit in culprits)
        {
            double patience = MostIdleLooks * s_betweenLooks.TotalSeconds;
            culprit.CutOff(new TimeoutException($"A target of a Tee took nothing for {patience} s and was cut off."));
        }
    }

    // False for a receiver of the other stream, which may take its time.
    private bool IsIdle(DeliverySink sink) =>
        Array.IndexOf(_deliveries, sink) is >= 0 and int index
        && _idleLooks[index] >= MostIdleLooks
        && !sink.IsDelivered;
}
