using System;

namespace ProcessRunner.Streams.Capture;

/// <summary>
/// Keeps the first bytes of a stream and, optionally, the last. Counts and drops the bytes between them. Its memory
/// grows with the output up to the limit.
/// </summary>
internal sealed class LimitedCaptureSink(SegmentPool segments, long headLimit, int tailLimit, Action? onExceeded)
    : StreamSink
{
    private SegmentChain _head;
    private readonly TailRing _tail = new(tailLimit);
    private Action? _onExceeded = onExceeded;
    private CaptureLease? _lease;
    private long _charged;
    private bool _isLetGo;

    public override Span<byte> GetRoom()
    {
        Span<byte> room = _head.Room;
        return room[..(int)Math.Min(room.Length, headLimit - _head.Length)];
    }

    public override void Commit(int count)
    {
        TotalBytes += count;
        _head.Commit(count);
        Charge();
    }

    public override void Append(ReadOnlySpan<byte> bytes)
    {
        TotalBytes += bytes.Length;
        if (_isLetGo)
        {
            return;
        }

        int toHead = (int)Math.Min(bytes.Length, headLimit - _head.Length);
        _head.Append(bytes[..toHead], segments);
        _tail.Append(bytes[toHead..]);
        Charge();
        if (TotalBytes > headLimit + tailLimit)
        {
            Action? onExceeded = _onExceeded;
            _onExceeded = null;
            onExceeded?.Invoke();
        }
    }

    // The finalizer of the lease returns the bytes it has taken.
    public override void LetGo()
    {
        _isLetGo = true;
        _head = default;
        _tail.Clear();
        _lease = null;
    }

    public override CapturedOutput Captured(Decoding decoding, bool isHeldOpen)
    {
        long headLength = _head.Length;
        _head.AppendOwned(_tail.Take());
        return new CapturedOutput(_head, decoding, _lease)
        {
            TotalBytes = TotalBytes,
            IsHeldOpen = isHeldOpen,
            HeadLength = headLength,
        };
    }

    private void Charge()
    {
        long kept = Math.Min(TotalBytes, headLimit + tailLimit);
        if (kept > CaptureLease.FreeOfCharge && kept > _charged)
        {
            (_lease ??= new CaptureLease(segments)).Extend(kept - _charged);
            _charged = kept;
        }
    }
}
