using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Hands the bytes of one stream from the reactor to a receiver on a delivery thread, in order and with a bounded
/// number of bytes in flight. At the bound the reactor stops reading the pipe, which creates backpressure on the child.
/// </summary>
/// <remarks>
/// <para>States: idle (no chunk, no job); scheduled (a job is posted or runs, one at a time); delivered. The child's
/// gate guards all fields; the receiver is called without it. Chunks are rented while they hold bytes. After a failure,
/// further bytes are counted and dropped, so that the child can end.</para>
/// <para>If it is the only sink of its stream and its receiver does not report the time, the job reads the pipe itself.
/// The chunks then hold only the bytes that the reactor has found in the pipe after the child's exit: they are newer
/// than all bytes that the job has read.</para>
/// </remarks>
internal sealed class DeliverySink : StreamSink
{
    private const int ChunkSize = 64 * 1024;
    private const int MostChunks = 4;

    // Bytes that arrive within this time share a chunk and its timestamp.
    private static readonly TimeSpan s_sameTime = TimeSpan.FromMilliseconds(50);

    private readonly RunStreams _run;
    private readonly ChildOutput _stream;
    private readonly ByteReceiver _receiver;
    private readonly DeliveryLane _lane;
    private readonly DeliveryJob _callOff;
    private readonly Queue<Chunk> _chunks = new(MostChunks);
    private Chunk _filling;
    private ExceptionDispatchInfo? _failure;
    private Silence _silence;
    private long _chunksTaken;
    private bool _isScheduled;
    private bool _isReading;
    private bool _isReadToEnd;
    private bool _isEnded;
    private bool _isDelivered;
    private bool _isAbandoned;
    private bool _isLetGo;

    public DeliverySink(RunStreams run, ChildOutput stream, ByteReceiver receiver)
    {
        _run = run;
        _stream = stream;
        _receiver = receiver;
        _silence = new Silence(receiver.Patience);
        _lane = run.LaneFor(receiver);
        _callOff = new DeliveryJob(receiver.CallOff, run.Context);
    }

    /// <summary>Gets or sets the next sink in the lane. Owned by the lane.</summary>
    public DeliverySink? NextInLane { get; set; }

    /// <summary>Gets the sink whose turn this sink waits for, or this sink itself.</summary>
    public DeliverySink HeldUpBy => _lane.Current ?? this;

    /// <summary>Gets a number that grows whenever the receiver takes something, as a sign of life.</summary>
    public long Taken => _chunksTaken + _receiver.PartsTaken;

    public override Span<byte> GetRoom()
    {
        if (_filling.Count > 0 && (Surroundings.UtcNow - _filling.ReadAt).Duration() > s_sameTime)
        {
            _chunks.Enqueue(_filling);
            _filling = default;
        }

        if (_isLetGo)
        {
            return default;
        }

        if (_filling.Bytes is null)
        {
            _filling = new Chunk(Buffers.Rent(ChunkSize), 0, default);
        }

        return _filling.Bytes.AsSpan(_filling.Count);
    }

    public override bool IsFull => _isReading || _chunks.Count >= MostChunks;

    public override bool ReadsItself => !_receiver.TellsTime && !_isReadToEnd && !IsGivenUp;

    public override bool IsDelivered => _isDelivered || _isAbandoned;

    public override ExceptionDispatchInfo? Failure => _failure;

    public override long Deadline => _silence.DueAt;

    public override void Open() => _receiver.Open();

    public override void CloseUnstarted() => _receiver.CloseUnstarted();

    public override void OnReadable()
    {
        _isReading = true;
        Schedule();
    }

    public override void Commit(int count)
    {
        TotalBytes += count;
        if (count == 0)
        {
            return;
        }

        if (IsGivenUp)
        {
            _filling = _filling with { Count = 0 };
            return;
        }

        DateTimeOffset readAt = _filling.Count == 0 ? Surroundings.UtcNow : _filling.ReadAt;
        _filling = _filling with { Count = _filling.Count + count, ReadAt = readAt };
        if (_filling.Count == _filling.Bytes.Length)
        {
            _chunks.Enqueue(_filling);
            _filling = default;
        }

        _silence.OnBytes();
        Schedule();
    }

    public override void OnDeadline(long now)
    {
        if (_silence.OnDeadline(now))
        {
            Schedule();
        }
    }

    public override void Append(ReadOnlySpan<byte> bytes)
    {
        if (_isLetGo)
        {
            TotalBytes += bytes.Length;
            return;
        }

        while (!bytes.IsEmpty)
        {
            Span<byte> room = GetRoom();
            int count = Math.Min(bytes.Length, room.Length);
            bytes[..count].CopyTo(room);
            Commit(count);
            bytes = bytes[count..];
        }
    }

    public override void End()
    {
        _isEnded = true;
        _silence.End();
        if (!_isDelivered)
        {
            Schedule();
        }
    }

    /// <summary>Ends the delivery as if the receiver had thrown, and no longer waits for the receiver.</summary>
    public void CutOff(Exception exception)
    {
        Fail(exception);
        GiveUp();
    }

    public override void Abandon()
    {
        if (!_receiver.EndsWithTheChild)
        {
            GiveUp();
        }
    }

    public override CapturedOutput Captured(Decoding decoding, bool isHeldOpen) =>
        new(default(SegmentChain), decoding) { TotalBytes = TotalBytes, HeadLength = 0, IsHeldOpen = isHeldOpen };

    // Bytes received so far are delivered; further bytes are not.
    public override void LetGo() => _isLetGo = true;

    private bool IsGivenUp => _failure is not null || _isAbandoned || _isLetGo;

    private void GiveUp()
    {
        if (!_isDelivered)
        {
            _isAbandoned = true;
            _silence.End();
            _receiver.Close();
            _lane.GiveUp(this);
            DropChunks();

            // Calling off the receiver's wait may run user code, which must not run on this thread.
            _run.Services.Threads.Post(_callOff);
        }
    }

    private void Fail(Exception exception)
    {
        _failure ??= ExceptionDispatchInfo.Capture(exception);
        _silence.End();
        DropChunks();
    }

    private void DropChunks()
    {
        _isReading = false;
        while (_chunks.TryDequeue(out Chunk chunk))
        {
            Buffers.Return(chunk.Bytes);
        }

        _filling = _filling with { Count = 0 };
        _run.ResumeUnlessFull(_stream);
    }

    private void Schedule()
    {
        if (!_isScheduled)
        {
            _isScheduled = true;
            _lane.Ask(this);
        }
    }

    /// <summary>Takes a turn on a delivery thread: passes a chunk or the end to the receiver.</summary>
    public void TakeTurn()
    {
        try
        {
            if (TakeChunk(out Chunk chunk, out bool isOver))
            {
                Deliver(chunk);
            }
            else if (isOver)
            {
                Finish();
            }
            else
            {
                DeliverSilence();
            }

            EndTurn();
        }
        catch (OutOfMemoryException exception)
        {
            using (Uninterruptible.Lock(_run.Child.Gate))
            {
                // The end of the run, which now follows, schedules the rest.
                _isScheduled = false;
                _run.OnOutOfMemory(exception);
            }
        }
    }

    private void Deliver(Chunk chunk)
    {
        try
        {
            _receiver.OnBytes(chunk.Bytes.AsSpan(0, chunk.Count), chunk.ReadAt);
        }
        catch (Exception exception)
        {
            OnThrown(exception);
        }

        Buffers.Return(chunk.Bytes);
    }

    private void DeliverSilence()
    {
        using (Uninterruptible.Lock(_run.Child.Gate))
        {
            if (!_silence.TryTake())
            {
                return;
            }
        }

        try
        {
            _receiver.OnSilence();
        }
        catch (Exception exception)
        {
            OnThrown(exception);
        }
    }

    private void EndTurn()
    {
        using (Uninterruptible.Lock(_run.Child.Gate))
        {
            _isScheduled = false;
            bool hasMore = _isReading || _chunks.Count > 0 || _filling.Count > 0 || _isEnded || _silence.IsDue;
            if (hasMore && !_isDelivered)
            {
                Schedule();
            }
        }
    }

    // Returns false if there is no chunk at the moment or, at the end of the stream, no further chunk.
    private bool TakeChunk(out Chunk chunk, out bool isOver)
    {
        isOver = false;
        using (Uninterruptible.Lock(_run.Child.Gate))
        {
            bool wasFull = IsFull;
            if (!_chunks.TryDequeue(out chunk) && _filling.Count > 0)
            {
                chunk = _filling;
                _filling = default;
            }

            if (wasFull && !IsFull)
            {
                _run.ResumeUnlessFull(_stream);
            }

            if (chunk.Bytes is not null || (_isReading && Read(out chunk)))
            {
                _chunksTaken++;
                return true;
            }

            isOver = _isEnded;
            return false;
        }
    }

    private bool Read(out Chunk chunk)
    {
        byte[] bytes = Buffers.Rent(ChunkSize);
        int count = _run.Child.Read(_stream, bytes.AsSpan(0, ChunkSize), out _isReadToEnd);
        if (count > 0)
        {
            TotalBytes += count;
            chunk = new Chunk(bytes, count, Surroundings.UtcNow);
            return true;
        }

        Buffers.Return(bytes);
        chunk = default;
        _isReading = false;
        _run.ResumeUnlessFull(_stream);
        return false;
    }

    private void Finish()
    {
        try
        {
            _receiver.OnEnd(isWhole: !IsGivenUp);
        }
        catch (Exception exception)
        {
            OnThrown(exception);
        }

        using (Uninterruptible.Lock(_run.Child.Gate))
        {
            if (_filling.Bytes is not null)
            {
                Buffers.Return(_filling.Bytes);
                _filling = default;
            }

            _isDelivered = true;
            _run.Child.SetDeadline(MonotonicClock.Now);
        }
    }

    private void OnThrown(Exception exception)
    {
        using (Uninterruptible.Lock(_run.Child.Gate))
        {
            Fail(exception);
        }
    }

    private readonly record struct Chunk(byte[] Bytes, int Count, DateTimeOffset ReadAt);
}
