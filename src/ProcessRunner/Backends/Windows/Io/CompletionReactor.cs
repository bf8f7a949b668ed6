using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>Represents a reactor over a completion port, which is thread-safe itself.</summary>
/// <remarks>
/// <para>A packet is taken from the port once, unlike an event of a descriptor that stays ready. The packets that a
/// thread has fetched therefore belong to the reactor, and are handled one at a time: if the thread hangs in a start,
/// its successor handles the rest. Only the serving thread touches them. It takes each with the gate held, and finds
/// out there whether it still serves: it may have been replaced at the very end of a start, unnoticed by itself.</para>
/// <para>A packet ends its transfer. The state of the transfer does not always tell that: if the thread that began it
/// ends at that moment, Wine posts the packet and leaves the state as it was. A packet can arrive when its block
/// already serves another child. So blocks (<see cref="TransferBlock"/>) stay allocated, and each knows its tenant. The
/// gate guards the list of the free ones. The reactor closes its port only after all transfers have ended.</para>
/// </remarks>
[SupportedOSPlatform("windows")]
internal sealed unsafe class CompletionReactor : Reactor
{
    private const ulong WakerToken = ulong.MaxValue;
    private const int Capacity = 128;

    // One thread serves the port. While it hangs in a start, another takes its place, to which the port must give
    // packets even if the first one is busy there and does not sleep.
    private const int MostRunning = 64;

    // The system ends a canceled transfer of a pipe at once.
    private const uint PatienceOfClose = 1000;

    private readonly Kernel32.OVERLAPPED_ENTRY* _packets;
    private OwnedHandle _port;
    private int _next;
    private int _end;
    private TransferBlock* _free;
    private int _blocks;

    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    /// <exception cref="OutOfMemoryException">No thread or no memory is available. Nothing is left open.</exception>
    public CompletionReactor(int index)
        : base(index)
    {
        _packets = (Kernel32.OVERLAPPED_ENTRY*)NativeMemory.Alloc(Capacity, (nuint)sizeof(Kernel32.OVERLAPPED_ENTRY));
        try
        {
            nint port = Kernel32.CreateIoCompletionPort(Kernel32.INVALID_HANDLE_VALUE, 0, 0, MostRunning);
            _port = OwnedHandle.From(port, "CreateIoCompletionPort");
            Begin();
        }
        catch
        {
            Close();
            throw;
        }
    }

    /// <summary>Creates the block of a child, which holds the first reference.</summary>
    /// <param name="token">The child's token at this reactor.</param>
    /// <exception cref="OutOfMemoryException">There is no memory.</exception>
    public TransferBlock* CreateBlock(ulong token)
    {
        using (Uninterruptible.Lock(Gate))
        {
            TransferBlock* block = _free;
            if (block is null)
            {
                block = (TransferBlock*)NativeMemory.AllocZeroed((nuint)sizeof(TransferBlock));
                block->Output.Block = block->Error.Block = block->Input.Block = block;
                block->Port = _port.Value;
            }

            _free = block->Next;
            block->ExitKey = KeyOf(token);
            block->References = 1;
            _blocks++;
            return block;
        }
    }

    /// <summary>Creates the transfers of channels, unless an earlier child of the block had some.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory.</exception>
    public static void CreateChannels(TransferBlock* block)
    {
        if (block->Channels is null)
        {
            const int Count = LaunchChannel.Highest + 1;
            block->Channels =
                (TransferBlock.Transfer*)NativeMemory.AllocZeroed(Count, (nuint)sizeof(TransferBlock.Transfer));
            for (int number = 0; number < Count; number++)
            {
                block->Channels[number].Block = block;
            }
        }
    }

    /// <summary>Notes that a transfer is about to begin.</summary>
    public static void BeginTransfer(TransferBlock.Transfer* transfer)
    {
        transfer->Overlapped = default;
        transfer->IsUnderWay = true;
        Interlocked.Increment(ref transfer->Block->References);
    }

    /// <summary>Notes that a transfer has failed at once, so that no packet comes.</summary>
    public void FailTransfer(TransferBlock.Transfer* transfer)
    {
        transfer->IsUnderWay = false;
        RemoveReference(transfer->Block);
    }

    /// <summary>
    /// Notes that the transfer of a packet has ended. Requires the gate of the packet's child, or the child has
    /// left.
    /// </summary>
    public void EndTransfer(Packet packet)
    {
        using (Uninterruptible.Lock(Gate))
        {
            TransferBlock.Transfer* transfer = packet.Transfer;
            if (transfer is null || transfer->Block->ExitKey != KeyOf(packet.Token) || !transfer->IsUnderWay)
            {
                return;
            }

            if (transfer->Overlapped.Internal == Kernel32.STATUS_PENDING)
            {
                transfer->Overlapped.Internal = packet.Status;
            }

            transfer->IsUnderWay = false;
            RemoveReference(transfer->Block);
        }
    }

    /// <summary>Removes a reference: that of the child, or that of a transfer that has ended. Thread-safe.</summary>
    public void RemoveReference(TransferBlock* block)
    {
        if (Interlocked.Decrement(ref block->References) > 0)
        {
            return;
        }

        using (Uninterruptible.Lock(Gate))
        {
            NativeMemory.Free(block->Bytes);
            block->Bytes = null;
            block->Capacity = 0;
            block->ExitKey = 0;
            block->Next = _free;
            _free = block;
            _blocks--;
        }
    }

    /// <summary>Has each transfer of a pipe end with a packet that carries the token. Thread-safe.</summary>
    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    public void Associate(nint pipe, ulong token)
    {
        if (Kernel32.CreateIoCompletionPort(pipe, _port.Value, (nuint)token, 0) == 0)
        {
            throw SystemError.Of("CreateIoCompletionPort");
        }
    }

    /// <summary>Queues a packet with the token. Thread-safe.</summary>
    public void Post(ulong token) => Post(_port.Value, (nuint)token);

    /// <summary>
    /// Queues a packet. The system needs a little memory for it, and nothing can take its place: it is tried until it
    /// succeeds.
    /// </summary>
    public static void Post(nint port, nuint key)
    {
        while (!Kernel32.PostQueuedCompletionStatus(port, 0, key, null))
        {
            Thread.Yield();
        }
    }

    /// <summary>
    /// Sleeps until packets arrive, at most for the given number of milliseconds. Does not sleep if a replaced thread
    /// has left packets behind. Only the serving thread calls this method.
    /// </summary>
    /// <returns>The number of packets.</returns>
    public int Sleep(int timeout)
    {
        if (_next == _end)
        {
            _next = 0;
            _end = Fetch(timeout == Timeout.Infinite ? Kernel32.INFINITE : (uint)timeout);
        }

        return _end - _next;
    }

    /// <summary>Takes the next of the fetched packets whose child is still registered.</summary>
    /// <param name="thread">The calling thread.</param>
    /// <param name="child">The child.</param>
    /// <param name="packet">The packet.</param>
    /// <returns>False if there is none, or the thread has been replaced.</returns>
    public bool TryTake(ReactorThread thread, [NotNullWhen(true)] out WindowsChild? child, out Packet packet)
    {
        lock (Gate)
        {
            bool isServing = IsServedBy(thread);
            if (isServing)
            {
                NoteAwake();
            }

            while (isServing && _next < _end)
            {
                packet = TakeNext();
                child = packet.Token == WakerToken ? null : (WindowsChild?)Find(packet.Token);
                if (child is not null)
                {
                    return true;
                }

                EndTransfer(packet);
            }
        }

        child = null;
        packet = default;
        return false;
    }

    protected override ReactorThread CreateThread(int index) => new CompletionThread(this, index);

    protected override void Wake() => Post(WakerToken);

    protected override void Close()
    {
        while (_blocks > 0 && (_end = Fetch(PatienceOfClose)) > 0)
        {
            for (_next = 0; _next < _end;)
            {
                EndTransfer(TakeNext());
            }
        }

        _port.Close();
        NativeMemory.Free(_packets);
        while (_free is not null)
        {
            TransferBlock* block = _free;
            _free = block->Next;
            NativeMemory.Free(block->Channels);
            NativeMemory.Free(block);
        }
    }

    // A wait that its timeout ends can count one packet nevertheless: that which was the first one the last time.
    private int Fetch(uint timeout)
    {
        uint count = 0;
        if (Kernel32.GetQueuedCompletionStatusEx(_port.Value, _packets, Capacity, &count, timeout, false))
        {
            return (int)count;
        }

        return Marshal.GetLastPInvokeError() == Kernel32.WAIT_TIMEOUT
            ? 0
            : throw SystemError.Of("GetQueuedCompletionStatusEx");
    }

    private Packet TakeNext()
    {
        Kernel32.OVERLAPPED_ENTRY* entry = _packets + _next++;
        return new Packet(entry->lpCompletionKey, (TransferBlock.Transfer*)entry->lpOverlapped, entry->Internal);
    }

    // For every source of the token.
    private static nuint KeyOf(ulong token) => (nuint)EventToken.With(
        EventToken.Of(EventToken.Slot(token), EventToken.Generation(token)), EventPart.Exit);
}
