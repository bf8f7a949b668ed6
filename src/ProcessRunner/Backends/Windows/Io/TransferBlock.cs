using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>
/// Represents the native memory of one child that the system reads and writes by itself: the state of a transfer for
/// each pipe, the bytes of a write, and the destination of the message about the exit.
/// </summary>
/// <remarks>
/// The child holds a reference from <see cref="CompletionReactor.CreateBlock"/> to its release, and each transfer holds
/// one until it has ended: a transfer that has been canceled is under way until then. Without references the block
/// serves the next child of the reactor. The child's gate guards the transfers and the bytes.
/// </remarks>
[SupportedOSPlatform("windows")]
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct TransferBlock
{
    /// <summary>The number of references; changed by interlocked operations alone.</summary>
    public int References;

    /// <summary>The transfer that reports output.</summary>
    public Transfer Output;

    /// <summary>The transfer that reports error output.</summary>
    public Transfer Error;

    /// <summary>The write of input.</summary>
    public Transfer Input;

    /// <summary>The port of the reactor.</summary>
    public nint Port;

    /// <summary>The key of the packet about the exit, which tells the tenant as well.</summary>
    public nuint ExitKey;

    /// <summary>The bytes of the write under way, or null.</summary>
    public byte* Bytes;

    /// <summary>The size of that memory.</summary>
    public int Capacity;

    /// <summary>
    /// The transfers that report the channels, by their numbers; null until a child of this block has channels.
    /// </summary>
    public Transfer* Channels;

    /// <summary>The next block without a tenant. Owned by the reactor.</summary>
    public TransferBlock* Next;

    /// <summary>Represents a transfer that ends with a packet.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Transfer
    {
        /// <summary>The state of the transfer. The first field, so that a packet leads to the transfer.</summary>
        public Kernel32.OVERLAPPED Overlapped;

        /// <summary>The block that holds the transfer.</summary>
        public TransferBlock* Block;

        /// <summary>Whether the transfer has begun and not ended.</summary>
        public bool IsUnderWay;
    }
}
