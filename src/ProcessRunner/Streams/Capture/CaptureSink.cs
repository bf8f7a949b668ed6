using System;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Capture;

/// <summary>
/// Keeps all bytes of a stream: in memory up to a limit and within the engine's budget, and the rest in a temporary
/// file.
/// </summary>
internal sealed class CaptureSink(RunStreams run, ChildOutput stream, long memoryLimit) : StreamSink
{
    // Taken in one step, so that not every chunk queries the budget.
    private const int Instalment = 256 * 1024;

    private SegmentChain _memory;
    private CaptureLease? _lease;
    private DeliverySink? _overflow;
    private bool _isLetGo;

    public override Span<byte> GetRoom()
    {
        if (_overflow is not null)
        {
            return _overflow.GetRoom();
        }

        if (_isLetGo)
        {
            return default;
        }

        Span<byte> room = _memory.Room;
        return room[..(int)Math.Min(room.Length, Allowed - _memory.Length)];
    }

    public override bool IsFull => _overflow is { IsFull: true };

    public override bool IsDelivered => _overflow is null or { IsDelivered: true };

    public override ExceptionDispatchInfo? Failure => _overflow?.Failure;

    public override void Commit(int count)
    {
        TotalBytes += count;
        if (_overflow is not null)
        {
            _overflow.Commit(count);
        }
        else
        {
            _memory.Commit(count);
        }
    }

    public override void Append(ReadOnlySpan<byte> bytes)
    {
        TotalBytes += bytes.Length;
        while (!bytes.IsEmpty && _overflow is null && !_isLetGo)
        {
            int count = (int)Math.Min(bytes.Length, Allowed - _memory.Length);
            _memory.Append(bytes[..count], run.Services.Segments);
            bytes = bytes[count..];
            if (!bytes.IsEmpty && !TryExtend())
            {
                _overflow = new DeliverySink(run, stream, new SpillReceiver(run, _lease!));
            }
        }

        _overflow?.Append(bytes);
    }

    public override void End() => _overflow?.End();

    public override void Abandon() => _overflow?.Abandon();

    // The finalizer of the lease returns the bytes it has taken.
    public override void LetGo()
    {
        _isLetGo = true;
        _memory = default;
        if (_overflow is null)
        {
            _lease = null;
        }

        _overflow?.LetGo();
    }

    public override CapturedOutput Captured(Decoding decoding, bool isHeldOpen) =>
        TotalBytes == 0 && !isHeldOpen
            ? CapturedOutput.Empty
            : new CapturedOutput(_memory, decoding, _lease)
            {
                TotalBytes = TotalBytes,
                IsHeldOpen = isHeldOpen,
            };

    private long Allowed => Math.Min(CaptureLease.FreeOfCharge, memoryLimit) + (_lease?.Taken ?? 0);

    private bool TryExtend()
    {
        long more = Math.Min(Instalment, memoryLimit - Allowed);
        _lease ??= new CaptureLease(run.Services.Segments);
        return more > 0 && _lease.TryExtend(more);
    }
}
