using System;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Capture;

/// <summary>
/// Keeps all bytes of a stream: in memory up to a limit and as far as the engine's budget goes, and from there on in a
/// temporary file.
/// </summary>
internal sealed class CaptureSink(RunStreams run, StandardStream stream, long memoryLimit) : StreamSink
{
    // Taken at once, so that the budget is not asked for every chunk.
    private const int Instalment = 256 * 1024;

    private SegmentChain _memory;
    private long _allowed = Math.Min(CaptureLease.FreeOfCharge, memoryLimit);
    private CaptureLease? _lease;
    private DeliverySink? _overflow;
    private bool _isLetGo;

    public override Span<byte> Room
    {
        get
        {
            if (_overflow is not null)
            {
                return _overflow.Room;
            }

            if (_isLetGo)
            {
                return default;
            }

            Span<byte> room = _memory.Room;
            return room[..(int)Math.Min(room.Length, _allowed - _memory.Length)];
        }
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
            int count = (int)Math.Min(bytes.Length, _allowed - _memory.Length);
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

    // The lease gives back by its finalizer what it has taken.
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

    public override CapturedOutput Captured(ProcessCommand command, bool isHeldOpen) =>
        TotalBytes == 0 && !isHeldOpen
            ? CapturedOutput.Empty
            : new CapturedOutput(_memory, command.Encoding, _lease) { TotalBytes = TotalBytes, IsHeldOpen = isHeldOpen };

    private bool TryExtend()
    {
        long more = Math.Min(Instalment, memoryLimit - _allowed);
        _lease ??= new CaptureLease(run.Services.Segments);
        if (more <= 0 || !_lease.TryExtend(more))
        {
            return false;
        }

        _allowed += more;
        return true;
    }
}
