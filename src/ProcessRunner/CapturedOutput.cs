using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Text;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Capture;

namespace ProcessRunner;

/// <summary>
/// Provides the bytes that were kept of one stream of a child: all of them, unless the capture has a limit or the
/// stream has another target. Immutable and safe to read from any thread until <see cref="Release"/>.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class CapturedOutput
{
    private readonly Decoding _decoding;
    private readonly CaptureLease? _lease;
    private readonly TemporaryFile? _spilled;
    private SegmentChain _memory;
    private string? _text;
    private byte[]? _loaded;
    private bool _isReleased;

    /// <summary>Initializes an output from a text, for tests.</summary>
    /// <param name="text">The text that the child wrote.</param>
    /// <param name="encoding">The encoding; UTF-8 if null.</param>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    public CapturedOutput(string text, Encoding? encoding = null)
        : this((encoding ?? Encoding.UTF8).GetBytes(text ?? throw new ArgumentNullException(nameof(text))), encoding)
    {
    }

    /// <summary>Initializes an output from bytes, for tests.</summary>
    /// <param name="bytes">The bytes that the child wrote, which are copied.</param>
    /// <param name="encoding">The encoding of the text; UTF-8 if null.</param>
    public CapturedOutput(ReadOnlySpan<byte> bytes, Encoding? encoding = null)
        : this(ChainOf(bytes.ToArray()), new Decoding(encoding ?? Encoding.UTF8))
    {
    }

    internal CapturedOutput(SegmentChain memory, Decoding decoding, CaptureLease? lease = null)
    {
        _memory = memory;
        _decoding = decoding;
        _lease = lease;
        TotalBytes = memory.Length;

        // A write that the run has given up can change the file later.
        _spilled = lease?.Spilled;
        Kept = memory.Length + (_spilled?.Length ?? 0);
        HeadLength = Kept;
    }

    /// <summary>
    /// Gets the bytes that were kept, as the child wrote them and without a copy. Bytes in a temporary file are loaded
    /// at the first use. If the middle of the output was dropped, its tail directly follows its head.
    /// </summary>
    /// <exception cref="IOException">The temporary file cannot be read.</exception>
    /// <exception cref="InvalidOperationException">
    /// The bytes do not fit into an array; use <see cref="OpenRead"/>.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The capture was released.</exception>
    public ReadOnlySequence<byte> Bytes =>
        IsSpilled ? new(LazyInitializer.EnsureInitialized(ref _loaded, Load)) : Memory;

    /// <summary>Gets how many bytes the child wrote through this process, whether they were kept or not.</summary>
    /// <value>
    /// With a native backend, 0 for <see cref="OutputTarget.ToFile"/> and <c>ToHandle</c>, and in any case for
    /// <see cref="OutputTarget.Inherit"/> and <see cref="OutputTarget.Null"/>: those bytes bypass this process.
    /// </value>
    public long TotalBytes { get; internal init; }

    /// <summary>Gets whether fewer bytes were kept than <see cref="TotalBytes"/>.</summary>
    public bool IsTruncated => TotalBytes > Kept;

    /// <summary>Gets whether some of the bytes are in a temporary file, which vanishes with this object.</summary>
    public bool IsSpilled => _spilled is not null;

    /// <summary>
    /// Gets whether another process still held the stream open when the run ended. The capture does not have what that
    /// process writes later.
    /// </summary>
    public bool IsHeldOpen { get; internal init; }

    /// <summary>
    /// Gets the text, decoded at the first use. A byte order mark of the encoding is left out, and bytes that the
    /// encoding cannot decode become U+FFFD. The line end of the last line stays in the text. If a limit has cut out
    /// the middle, a line in its place gives the number of missing bytes. A cut through a character of UTF-8, UTF-16 or
    /// UTF-32 leaves out the whole character.
    /// </summary>
    /// <exception cref="IOException">The temporary file cannot be read.</exception>
    /// <exception cref="InvalidOperationException">
    /// The text does not fit into a string; use <see cref="OpenRead"/>.
    /// </exception>
    /// <exception cref="OutputDecodingException">
    /// The encoding cannot decode the bytes, and <see cref="ProcessCommand.StrictDecoding"/> is true.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The capture was released before the first use of its text.</exception>
    public string Text => _text ?? LazyInitializer.EnsureInitialized(ref _text, () => Decode(_decoding.Make()));

    internal long HeadLength { private get; init; }

    /// <summary>Gets the output of a stream that was silent, or that had another target and was not counted.</summary>
    internal static CapturedOutput Empty { get; } = new(default(SegmentChain), new Decoding(Encoding.UTF8));

    /// <summary>Gets how many bytes were kept.</summary>
    internal long Kept { get; }

    private ReadOnlySequence<byte> Memory
    {
        get
        {
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _isReleased), this);
            return _memory.Bytes;
        }
    }

    /// <summary>
    /// Returns the lines of <see cref="Text"/> without their line ends, which are <c>\n</c> or <c>\r\n</c>. The last
    /// line may have none. Each call creates a new list. Throws the exceptions of <see cref="Text"/>.
    /// </summary>
    /// <returns>The lines, without an empty one after the last line end.</returns>
    public IReadOnlyList<string> Lines() => [.. TextDecoder.Lines(Text)];

    /// <summary>
    /// Returns the parts of <see cref="Text"/> between separators, such as the names that <c>find -print0</c> writes.
    /// The last part may have none after it. Each call creates a new list. Throws the exceptions of
    /// <see cref="Text"/>.
    /// </summary>
    /// <param name="separator">The separator, such as <c>"\0"</c>.</param>
    /// <exception cref="ArgumentException">The separator is null or empty.</exception>
    public IReadOnlyList<string> Lines(string separator)
    {
        ArgumentException.ThrowIfNullOrEmpty(separator);
        return [.. TextDecoder.Lines(Text, separator)];
    }

    /// <summary>
    /// Returns the end of the text for a message, which no undecodable byte prevents. It is empty if it cannot be read.
    /// If the middle of the output was dropped, it begins there.
    /// </summary>
    /// <param name="most">The maximum number of bytes to decode.</param>
    internal TextExcerpt End(int most)
    {
        try
        {
            bool hasGap = IsTruncated && HeadLength < Kept;
            long start = Math.Max(Kept - most, hasGap ? HeadLength : 0);
            bool isCutBefore = hasGap || start > 0;
            bool isCutBehind = IsTruncated && !hasGap;
            long position = hasGap ? TotalBytes - (Kept - start) : start;
            ReadOnlySequence<byte> bytes = new(ReadFrom(start));
            bytes = isCutBefore ? TextCut.WholeTail(bytes, position, _decoding.Encoding) : bytes;
            bytes = isCutBehind ? TextCut.WholeHead(bytes, _decoding.Encoding) : bytes;
            return new TextExcerpt(
                TextDecoder.Decode(bytes, TextDecoder.Lenient(_decoding.Encoding)), isCutBefore, isCutBehind);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // It has been released, its temporary file cannot be read, or the user's encoding throws.
            string known = IsTruncated ? "" : _text ?? "";
            return new TextExcerpt(known[^Math.Min(most, known.Length)..], known.Length > most, IsCutBehind: false);
        }
    }

    /// <summary>Opens a stream over the bytes that were kept, in memory and in the temporary file.</summary>
    /// <returns>A stream that can be read and can seek, with a position of its own.</returns>
    /// <exception cref="ObjectDisposedException">The capture was released.</exception>
    public Stream OpenRead() => new CapturedStream(Memory, _spilled, Kept);

    /// <summary>
    /// Returns the memory and the temporary file at once, for the captures that follow. A call is never necessary,
    /// because the garbage collector reclaims unused captures, but reused memory costs far less than new memory.
    /// </summary>
    /// <remarks>
    /// No thread may read <see cref="Bytes"/>, or a stream over them, during the call or later: memory that was taken
    /// from them before will hold other bytes. <see cref="Text"/> stays available if it has been used.
    /// </remarks>
    public void Release()
    {
        if (TotalBytes > 0 && !Interlocked.Exchange(ref _isReleased, true))
        {
            _lease?.Release(ref _memory);
            _memory = default;
            _loaded = null;
        }
    }

    /// <summary>Returns <see cref="Text"/>, and throws its exceptions.</summary>
    public override string ToString() => Text;

    private static SegmentChain ChainOf(byte[] bytes)
    {
        SegmentChain chain = default;
        chain.AppendOwned(bytes);
        return chain;
    }

    private string Decode(Encoding encoding)
    {
        ReadOnlySequence<byte> bytes = Bytes;
        if (!IsTruncated)
        {
            return TextDecoder.Decode(bytes, encoding);
        }

        ReadOnlySequence<byte> head = TextCut.WholeHead(bytes.Slice(0, HeadLength), encoding);
        if (HeadLength == Kept)
        {
            return TextDecoder.Decode(head, encoding);
        }

        long tailLength = Kept - HeadLength;
        ReadOnlySequence<byte> tail = TextCut.WholeTail(bytes.Slice(HeadLength), TotalBytes - tailLength, encoding);
        string between = $"\n[… {TotalBytes - head.Length - tail.Length} bytes left out …]\n";
        return TextDecoder.Decode(head, between, tail, encoding);
    }

    private byte[] Load()
    {
        if (Kept > Array.MaxLength)
        {
            throw new InvalidOperationException(
                $"{Kept} bytes do not fit into memory at once; read them with OpenRead.");
        }

        return ReadFrom(0);
    }

    private byte[] ReadFrom(long start)
    {
        byte[] bytes = GC.AllocateUninitializedArray<byte>((int)(Kept - start));
        using Stream stream = OpenRead();
        stream.Position = start;
        stream.ReadExactly(bytes);
        return bytes;
    }
}
