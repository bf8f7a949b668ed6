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
/// Immutable and safe to read from any thread.
/// </summary>
public sealed class CapturedOutput
{
    private readonly Encoding _encoding;
    private readonly ReadOnlySequence<byte> _memory;
    private string? _text;
    private byte[]? _loaded;

    internal CapturedOutput(ReadOnlySequence<byte> memory, Encoding encoding)
    {
        _memory = memory;
        _encoding = encoding;
        TotalBytes = memory.Length;
        HeadLength = memory.Length;
    }

    /// <summary>
    /// Gets the bytes that were kept, as the child wrote them and without a copy; those that went to a temporary file
    /// are loaded at the first use. Of a shortened output these are its head and, right behind it, its tail.
    /// </summary>
    /// <exception cref="IOException">The temporary file cannot be read.</exception>
    /// <exception cref="InvalidOperationException">It is larger than an array can be; use <see cref="OpenRead"/>.</exception>
    public ReadOnlySequence<byte> Bytes =>
        Spilled is null ? _memory : new(LazyInitializer.EnsureInitialized(ref _loaded, Load));

    /// <summary>Gets how many bytes the child wrote, kept or not.</summary>
    public long TotalBytes { get; internal init; }

    /// <summary>Gets whether fewer bytes were kept than the child wrote.</summary>
    public bool IsTruncated => TotalBytes > Kept;

    /// <summary>Gets whether a part lies in a temporary file, which vanishes with this object.</summary>
    public bool IsSpilled => Spilled is not null;

    /// <summary>
    /// Gets whether another process still held the stream when the run ended: what that one writes later is not here.
    /// </summary>
    public bool IsHeldOpen { get; internal init; }

    /// <summary>
    /// Gets the text, decoded at the first use. A byte order mark of the encoding is left out; bytes that the encoding
    /// cannot decode are U+FFFD. In the place of what a limit has cut out of the middle stands a line that says how much.
    /// </summary>
    /// <exception cref="IOException">The temporary file cannot be read.</exception>
    /// <exception cref="InvalidOperationException">It is larger than a string can be; use <see cref="OpenRead"/>.</exception>
    public string Text => _text ?? LazyInitializer.EnsureInitialized(ref _text, Decode);

    internal long HeadLength { private get; init; }

    internal SpillFile? Spilled { private get; init; }

    internal CaptureLease? Lease { get; init; }

    internal long Kept => _memory.Length + (Spilled?.Length ?? 0);

    /// <summary>
    /// Enumerates the lines without their ends, which are <c>\n</c> or <c>\r\n</c>; the last may lack one.
    /// </summary>
    public IEnumerable<string> Lines() => TextDecoder.Lines(Text);

    /// <summary>Opens a stream over the bytes that were kept, wherever they lie.</summary>
    public Stream OpenRead() => new CapturedStream(_memory, Spilled);

    /// <summary>Returns <see cref="Text"/>.</summary>
    public override string ToString() => Text;

    private string Decode()
    {
        if (HeadLength == _memory.Length || !IsTruncated)
        {
            return TextDecoder.Decode(Bytes, _encoding);
        }

        string head = TextDecoder.Decode(_memory.Slice(0, HeadLength), _encoding);
        string tail = TextDecoder.Whole(_memory.Slice(HeadLength), _encoding);
        return $"{head}\n[… {TotalBytes - Kept} bytes left out …]\n{tail}";
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
