using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>
/// Represents this process's end of a pipe that the child writes. A field of the child, never copied. Guarded by the
/// child's gate.
/// </summary>
/// <remarks>
/// A read of zero bytes ends once the pipe holds bytes or has no writer: its packet says that the pipe is readable. A
/// pipe that is not watched takes no memory, and fills up.
/// </remarks>
[SupportedOSPlatform("windows")]
internal unsafe struct OutputPipe(OwnedHandle handle, ulong token)
{
    private const int ScratchSize = 64 * 1024;

    // The number of bytes read in one turn before the others have theirs: more than most pipes hold.
    private const int LongestTurn = 1024 * 1024;

    private OwnedHandle _handle = handle;
    private bool _isWatched;

    public readonly bool IsOpen => _handle.IsOpen;

    /// <summary>Gets whether the pipe holds unread bytes.</summary>
    public readonly bool HasUnread => IsOpen && PipeTransfer.CountUnread(_handle.Value, out _) > 0;

    /// <summary>Has the pipe report to the reactor's port from now on.</summary>
    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    public readonly void Associate(CompletionReactor reactor)
    {
        if (IsOpen)
        {
            reactor.Associate(_handle.Value, token);
        }
    }

    /// <summary>Watches the pipe until the next packet, if it is open and not watched yet.</summary>
    /// <returns>False if the system lacks memory at the moment.</returns>
    public bool TryWatch(CompletionReactor reactor, TransferBlock.Transfer* transfer)
    {
        if (!IsOpen || _isWatched)
        {
            return true;
        }

        CompletionReactor.BeginTransfer(transfer);
        _isWatched = true;
        if (Kernel32.ReadFile(_handle.Value, null, 0, &transfer->Overlapped))
        {
            return true;
        }

        int error = Marshal.GetLastPInvokeError();
        if (error == Win32Error.ERROR_IO_PENDING)
        {
            return true;
        }

        // No packet comes for a read that has failed at once.
        reactor.FailTransfer(transfer);
        _isWatched = !StartError.IsShortage(error);
        if (_isWatched)
        {
            reactor.Post(token);
        }

        return _isWatched;
    }

    /// <summary>Handles a packet, which ends the watch if its transfer has ended.</summary>
    /// <returns>True if the pipe is readable or at its end.</returns>
    public bool OnPacket(TransferBlock.Transfer* transfer)
    {
        bool isReady = _isWatched && !transfer->IsUnderWay;
        _isWatched &= !isReady;
        return isReady && IsOpen;
    }

    /// <summary>Reads the bytes that the pipe holds into the room of a receiver.</summary>
    /// <inheritdoc cref="PipeTransfer.Read"/>
    public readonly int Read(Span<byte> room, out bool hasEnded) =>
        PipeTransfer.CountUnread(_handle.Value, out hasEnded) > 0
            ? PipeTransfer.Read(_handle.Value, room, out hasEnded)
            : 0;

    /// <summary>Reads for one turn, and closes the pipe at its end.</summary>
    /// <returns>The number of bytes; zero if the pipe was empty or has been closed.</returns>
    public int Read(OutputSink sink)
    {
        int total = 0;
        int count;
        int size;
        do
        {
            count = ReadOnce(sink, out size);
            total += count;
        }
        while (count == size && total < LongestTurn && !sink.IsFull && IsOpen);

        return total;
    }

    /// <summary>
    /// Reads all that the pipe holds at this moment, or closes it at its end. The amount is limited because another
    /// process can continue to write into it.
    /// </summary>
    public void Drain(OutputSink sink)
    {
        if (!TryDrain(sink, LongestTurn))
        {
            TryDrain(sink, PipeTransfer.CountUnread(_handle.Value, out _) + 1);
        }
    }

    /// <summary>Closes the pipe. The packet of a watch under way still comes.</summary>
    public void Close() => _handle.Close();

    // Returns false if at least the given number of bytes has been read and the pipe was not seen empty.
    private bool TryDrain(OutputSink sink, int limit)
    {
        int count = 1;
        for (int total = 0; total < limit && count > 0 && IsOpen; total += count)
        {
            count = ReadOnce(sink, out _);
        }

        return count == 0 || !IsOpen;
    }

    // A room too small to be worth a call of the system is filled by a copy.
    private int ReadOnce(OutputSink sink, out int size)
    {
        const int SmallestRoom = 4 * 1024;
        Span<byte> room = sink.GetRoom();
        bool hasEnded;
        int count;
        if (room.Length >= SmallestRoom)
        {
            size = room.Length;
            count = PipeTransfer.Read(_handle.Value, room, out hasEnded);
            sink.Commit(count);
        }
        else
        {
            byte[] scratch = Buffers.Rent(ScratchSize);
            size = ScratchSize;
            count = PipeTransfer.Read(_handle.Value, scratch.AsSpan(0, size), out hasEnded);
            int direct = Math.Min(count, room.Length);
            scratch.AsSpan(0, direct).CopyTo(room);
            sink.Commit(direct);
            sink.Append(scratch.AsSpan(direct, count - direct));
            Buffers.Return(scratch);
        }

        if (hasEnded)
        {
            Close();
        }

        return count;
    }
}
