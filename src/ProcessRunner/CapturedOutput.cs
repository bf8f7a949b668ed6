using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Capture;

namespace ProcessRunner;

/// <summary>
/// Holds what was kept of one stream of a child: everything, unless a limit was set or the stream went elsewhere.
/// Immutable and safe to read from any thread until <see cref="Release"/>.
/// </summary>
public sealed class CapturedOutput
{
    private readonly Encoding _encoding;
    private readonly CaptureLease? _lease;
    private SegmentChain _memory;
    private string? _text;
    private byte[]? _loaded;
    private int _isReleased;

    internal CapturedOutput(SegmentChain memory, Encoding encoding, CaptureLease? lease = null)
    {
        _memory = memory;
        _encoding = encoding;
        _lease = lease;
        TotalBytes = memory.Length;
        Kept = memory.Length + (lease?.Spilled?.Length ?? 0);
        HeadLength = Kept;
    }

    /// <summary>
    /// Gets the bytes that were kept, as the child wrote them and without a copy; those that went to a temporary file
    /// are loaded at the first use. Of a shortened output these are its head and, right behind it, its tail.
    /// </summary>
    /// <exception cref="IOException">The temporary file cannot be read.</exception>
    /// <exception cref="InvalidOperationException">It is larger than an array can be; use <see cref="OpenRead"/>.</exception>
    /// <exception cref="ObjectDisposedException">The capture was released.</exception>
    public ReadOnlySequence<byte> Bytes =>
        IsSpilled ? new(LazyInitializer.EnsureInitialized(ref _loaded, Load)) : Memory;

    /// <summary>Gets how many bytes the child wrote, kept or not.</summary>
    public long TotalBytes { get; internal init; }

    /// <summary>Gets whether fewer bytes were kept than the child wrote.</summary>
    public bool IsTruncated => TotalBytes > Kept;

    /// <summary>Gets whether a part lies in a temporary file, which vanishes with this object.</summary>
    public bool IsSpilled => _lease?.Spilled is not null;

    /// <summary>
    /// Gets whether another process still held the stream when the run ended: what that one writes later is not here.
    /// </summary>
    public bool IsHeldOpen { get; internal init; }

    /// <summary>
    /// Gets the text, decoded at the first use. A byte order mark of the encoding is left out; bytes that the encoding
    /// cannot decode are U+FFFD. In the place of what a limit has cut out of the middle stands a line that says how much. A cut
    /// through a character of UTF-8, UTF-16 or UTF-32 leaves the whole character out.
    /// </summary>
    /// <exception cref="IOException">The temporary file cannot be read.</exception>
    /// <exception cref="InvalidOperationException">It is larger than a string can be; use <see cref="OpenRead"/>.</exception>
    /// <exception cref="ObjectDisposedException">The capture was released before its text was used.</exception>
    public string Text => _text ?? LazyInitializer.EnsureInitialized(ref _text, Decode);

    internal long HeadLength { private get; init; }

    /// <summary>What a silent stream leaves, or one that went elsewhere and was not counted.</summary>
    internal static CapturedOutput Empty { get; } = new(default, Encoding.UTF8);

    /// <summary>How many bytes were kept.</summary>
    internal long Kept { get; }

    private ReadOnlySequence<byte> Memory
    {
        get
        {
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _isReleased) != 0, this);
            return _memory.Bytes;
        }
    }

    /// <summary>
    /// Enumerates the lines without their ends, which are <c>\n</c> or <c>\r\n</c>; the last may lack one.
    /// </summary>
    public IEnumerable<string> Lines() => TextDecoder.Lines(Text);

    /// <summary>Opens a stream over the bytes that were kept, wherever they lie.</summary>
    /// <exception cref="ObjectDisposedException">The capture was released.</exception>
    public Stream OpenRead() => new CapturedStream(Memory, _lease?.Spilled);

    /// <summary>
    /// Gives the memory and the temporary file back at once, for the captures that follow. There is no need to: the garbage
    /// collector finds what nobody uses any more. But memory that is used again costs far less than memory that is new.
    /// </summary>
    /// <remarks>
    /// Nobody may read <see cref="Bytes"/>, or a stream over them, at the same time or later; what was taken from them before
    /// holds other bytes from now on. <see cref="Text"/> stays if it has been used.
    /// </remarks>
    public void Release()
    {
        if (TotalBytes > 0 && Interlocked.Exchange(ref _isReleased, 1) == 0)
        {
            _lease?.Release(ref _memory);
            _memory = default;
            _loaded = null;
        }
    }

    /// <summary>Returns <see cref="Text"/>.</summary>
    public override string ToString() => Text;

    private string Decode()
    {
        ReadOnlySequence<byte> bytes = Bytes;
        if (!IsTruncated)
        {
            return TextDecoder.Decode(bytes, _encoding);
        }

        ReadOnlySequence<byte> head = TextCut.WholeHead(bytes.Slice(0, HeadLength), _encoding);
        if (HeadLength == Kept)
        {
            return TextDecoder.Decode(head, _encoding);
        }

        long tailLength = Kept - HeadLength;
        ReadOnlySequence<byte> tail = TextCut.WholeTail(bytes.Slice(HeadLength), TotalBytes - tailLength, _encoding);
        string between = $"\n[… {TotalBytes - head.Length - tail.Length} bytes left out …]\n";
        return TextDecoder.Decode(head, between, tail, _encoding);
    }

    private byte[] Load()
    {
        if (Kept > Array.MaxLength)
        {
            throw new InvalidOperationException($"{Kept} bytes do not fit into memory at once; read them with OpenRead.");
        }

        byte[] bytes = GC.AllocateUninitializedArray<byte>((int)Kept);
        using Stream stream = OpenRead();
        stream.ReadExactly(bytes);
        return bytes;
    }
}
