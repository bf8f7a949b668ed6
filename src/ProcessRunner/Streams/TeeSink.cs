using System;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Text;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams;

/// <summary>
/// Passes every byte to several sinks. A slow receiver slows down the child, and thereby the other receivers. A
/// receiver that accepts nothing at all for some seconds is cut off, and the others go on without it.
/// </summary>
internal sealed class TeeSink(StreamSink[] sinks) : StreamSink
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly DeliverySink[] _deliveries = [.. sinks.OfType<DeliverySink>()];
    private readonly long[] _progress = new long[sinks.Length];
    private long _deadline = MonotonicClock.Never;

    public override Span<byte> GetRoom() => default;

    public override bool IsFull => Array.Exists(sinks, sink => sink.IsFull);

    public override bool IsDelivered => Array.TrueForAll(sinks, sink => sink.IsDelivered);

    public override ExceptionDispatchInfo? Failure =>
        sinks.Select(sink => sink.Failure).FirstOrDefault(failure => failure is not null);

    public override long Deadline
    {
        get
        {
            long first = _deadline;
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

        if (_deadline == MonotonicClock.Never && IsFull)
        {
            Watch(MonotonicClock.Now);
        }
    }

    public override void OnDeadline(long now)
    {
        foreach (DeliverySink delivery in _deliveries)
        {
            delivery.OnDeadline(now);
        }

        if (now < _deadline)
        {
            return;
        }

        // A receiver held up by another gets its own chance once the other is cut off.
        DeliverySink[] culprits = [.. _deliveries.Where(sink => sink.IsFull).Select(sink => sink.HeldUpBy).Distinct()];
        Array.ForEach(culprits, CutOff);
        _deadline = MonotonicClock.Never;
        if (IsFull)
        {
            Watch(now);
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

    public override CapturedOutput Captured(Encoding encoding, bool isHeldOpen) =>
        sinks.Select(sink => sink.Captured(encoding, isHeldOpen)).MaxBy(captured => captured.Kept)!;

    // Does not cut off a receiver of the other stream, which may take its time.
    private void CutOff(DeliverySink culprit)
    {
        int index = Array.IndexOf(_deliveries, culprit);
        if (index >= 0 && culprit.Progress == _progress[index] && !culprit.IsDelivered)
        {
            culprit.CutOff(new TimeoutException(
                $"A target of a Tee took nothing for {s_patience.TotalSeconds} s and was cut off."));
        }
    }

    private void Watch(long now)
    {
        for (int i = 0; i < _deliveries.Length; i++)
        {
            _progress[i] = _deliveries[i].Progress;
        }

        _deadline = MonotonicClock.After(now, s_patience);
    }
}
