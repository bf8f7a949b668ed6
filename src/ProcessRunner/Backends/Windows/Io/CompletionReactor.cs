using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>Represents a reactor over a completion port, which is thread-safe itself.</summary>
/// <remarks>
/// <para>A packet is taken from the port once, unlike an event of a descriptor that stays ready. The packets that a
/// thread has fetched therefore belong to the reactor, and are handled one at a time: if the thread hangs in a start,
/// its successor handles the rest. Only the serving thread touches them; the gate, which each of them takes in between,
/// makes them visible to the successor.</para>
/// <para>The reactor counts the blocks of its children (<see cref="TransferBlock"/>). It closes the port only after the
/// packets of all canceled transfers have been taken.</para>
/// </remarks>
[SupportedOSPlatform("windows")]
internal sealed unsafe class CompletionReactor : Reactor
{
    private const ulong WakerToken = ulong.MaxValue;
    private const int Capacity = 128;

    // The system ends a canceled transfer of a pipe at once.
    private const uint PatienceOfClose = 1000;

    private readonly Kernel32.OVERLAPPED_ENTRY* _packets;
    private OwnedHandle _port;
    private int _next;
    private int _end;
    private int _blocks;

    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    /// <exception cref="OutOfMemoryException">No thread or no memory is available. Nothing is left open.</exception>
    public CompletionReactor(int index)
        : base(index)
    {
        _packets = (Kernel32.OVERLAPPED_ENTRY*)NativeMemory.Alloc(Capacity, (nuint)sizeof(Kernel32.OVERLAPPED_ENTRY));
        try
        {
            nint port = Kernel32.CreateIoCompletionPort(Kernel32.INVALID_HANDLE_VALUE, 0, 0, 1);
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
        TransferBlock* block = (TransferBlock*)NativeMemory.AllocZeroed((nuint)sizeof(TransferBlock));
        block->References = 1;
        block->Output.Block = block->Error.Block = block->Input.Block = block;
        block->Port = _port.Value;
        block->ExitKey = (nuint)EventToken.With(token, EventSource.Exit);
        Interlocked.Increment(ref _blocks);
        return block;
    }

    /// <summary>Adds the reference of a transfer that is about to begin. Thread-safe.</summary>
    public static void AddReference(TransferBlock* block) => Interlocked.Increment(ref block->References);

    /// <summary>Removes a reference: that of the child, or that of a transfer that has ended. Thread-safe.</summary>
    public void RemoveReference(TransferBlock* block)
    {
        if (Interlocked.Decrement(ref block->References) == 0)
        {
            TransferBlock.Free(block);
            Interlocked.Decrement(ref _blocks);
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
    /// has left packets behind. Only the reactor's threads call this method and the next one.
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
    /// <returns>False if there is none.</returns>
    public bool TryTake([NotNullWhen(true)] out WindowsChild? child, out Packet packet)
    {
        lock (Gate)
        {
            NoteAwake();
            while (_next < _end)
            {
                ulong token = _packets[_next].lpCompletionKey;
                bool isWhole = TryTakeNext(token, out packet);
                child = isWhole && token != WakerToken ? (WindowsChild?)Find(token) : null;
                if (child is not null)
                {
                    return true;
                }
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
        while (Volatile.Read(ref _blocks) > 0 && (_end = Fetch(PatienceOfClose)) > 0)
        {
            for (_next = 0; _next < _end;)
            {
                TryTakeNext(token: default, out _);
            }
        }

        _port.Close();
        NativeMemory.Free(_packets);
    }

    private int Fetch(uint timeout)
    {
        uint count = 0;
        if (!Kernel32.GetQueuedCompletionStatusEx(_port.Value, _packets, Capacity, &count, timeout, false)
            && Marshal.GetLastPInvokeError() != Kernel32.WAIT_TIMEOUT)
        {
            throw SystemError.Of("GetQueuedCompletionStatusEx");
        }

        return (int)count;
    }

    // The transfer has ended with this packet, and so does its claim to the block. Wine also queues a packet for a read
    // that goes on, after another process has written zero bytes: such a packet is passed over.
    private bool TryTakeNext(ulong token, out Packet packet)
    {
        Kernel32.OVERLAPPED_ENTRY* entry = _packets + _next++;
        Kernel32.OVERLAPPED* transfer = entry->lpOverlapped;
        nuint status = transfer is null ? 0 : transfer->Internal;
        packet = new Packet(EventToken.Source(token), status != 0, (int)entry->dwNumberOfBytesTransferred);
        if (status == Kernel32.STATUS_PENDING)
        {
            return false;
        }

        if (transfer is not null)
        {
            RemoveReference(((TransferBlock.Transfer*)transfer)->Block);
        }

        return true;
    }
}
