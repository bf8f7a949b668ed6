using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>
/// Represents this process's end of a child's standard input, which is fed until the feed is complete or the child
/// stops reading. A field of the child, never copied. Guarded by the child's gate.
/// </summary>
/// <remarks>
/// One write is under way at a time. The system reads its bytes whenever the child reads, so they are copied into the
/// child's block: the feed's own memory may change after the feed has been abandoned.
/// </remarks>
[SupportedOSPlatform("windows")]
internal unsafe struct InputPipe(OwnedHandle handle, ulong token)
{
    private const int SmallestWrite = 4 * 1024;
    private const int LargestWrite = 64 * 1024;

    private OwnedHandle _handle = handle;
    private int _written;

    private readonly bool IsWriting => _written > 0;

    /// <inheritdoc cref="OutputPipe.Associate"/>
    public readonly void Associate(CompletionReactor reactor)
    {
        if (_handle.IsOpen)
        {
            reactor.Associate(_handle.Value, token);
        }
    }

    /// <summary>
    /// Begins to write the bytes that the feed has, if no write is under way. Closes the pipe once the feed is complete
    /// or abandoned.
    /// </summary>
    /// <returns>False if the system lacks memory at the moment.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory for the bytes.</exception>
    public bool TryWrite(InputFeed feed, CompletionReactor reactor, TransferBlock* block)
    {
        ReadOnlySpan<byte> pending = feed.Pending.Span;
        if (!_handle.IsOpen || (IsWriting && !pending.IsEmpty))
        {
            return true;
        }

        // The bytes of a write under way are pending unless the feed has been abandoned.
        if (IsWriting || (pending.IsEmpty && feed.IsComplete))
        {
            Close(feed, block);
            return true;
        }

        return pending.IsEmpty || TryBegin(pending, feed, reactor, block);
    }

    /// <summary>Handles a packet, which ends the write if its transfer has ended.</summary>
    public void OnPacket(InputFeed feed, TransferBlock* block)
    {
        if (!IsWriting || block->Input.IsUnderWay)
        {
            return;
        }

        int written = _written;
        _written = 0;
        if (!_handle.IsOpen)
        {
            return;
        }

        if (block->Input.Overlapped.Internal != 0)
        {
            // A child may stop reading early.
            Close(feed, block);
        }
        else
        {
            // A write to a pipe that succeeds is complete.
            feed.Advance(written);
        }
    }

    /// <summary>
    /// Closes the pipe, after which the child can still read what has been written. The feed is not read any further.
    /// </summary>
    public void Close(InputFeed? feed, TransferBlock* block)
    {
        if (!_handle.IsOpen)
        {
            return;
        }

        if (IsWriting)
        {
            Kernel32.CancelIoEx(_handle.Value, &block->Input.Overlapped);
        }

        _handle.Close();
        feed?.Abandon();
    }

    private bool TryBegin(ReadOnlySpan<byte> pending, InputFeed feed, CompletionReactor reactor, TransferBlock* block)
    {
        int count = Math.Min(pending.Length, LargestWrite);
        if (block->Capacity < count)
        {
            int capacity = Math.Max(count, SmallestWrite);
            block->Bytes = (byte*)NativeMemory.Realloc(block->Bytes, (nuint)capacity);
            block->Capacity = capacity;
        }

        pending[..count].CopyTo(new Span<byte>(block->Bytes, count));
        CompletionReactor.BeginTransfer(&block->Input);
        _written = count;
        if (Kernel32.WriteFile(_handle.Value, block->Bytes, (uint)count, &block->Input.Overlapped))
        {
            return true;
        }

        int error = Marshal.GetLastPInvokeError();
        if (error == Win32Error.ERROR_IO_PENDING)
        {
            return true;
        }

        // No packet comes for a write that has failed at once.
        reactor.FailTransfer(&block->Input);
        _written = 0;
        if (StartError.IsShortage(error))
        {
            return false;
        }

        return PipeTransfer.IsEnd(error)
            ? CloseAfterEnd(feed, block)
            : throw SystemError.Of("WriteFile", error);
    }

    private bool CloseAfterEnd(InputFeed feed, TransferBlock* block)
    {
        Close(feed, block);
        return true;
    }
}
