using System.Text;

namespace ProcessRunner.Streams;

/// <summary>Makes a decoder throw <see cref="OutputDecodingException"/> for bytes that it cannot decode.</summary>
internal sealed class StrictFallback(string encodingName) : DecoderFallback
{
    public override int MaxCharCount => 1;

    /// <summary>Returns the same encoding, except that it decodes strictly.</summary>
    public static Encoding In(Encoding encoding)
    {
        encoding = (Encoding)encoding.Clone();
        encoding.DecoderFallback = new StrictFallback(encoding.WebName);
        return encoding;
    }

    /// <summary>Creates a decoder. If it is to be strict, it only notes the first failure.</summary>
    /// <param name="encoding">The encoding, which is lenient unless it has a <see cref="StrictFallback"/>.</param>
    /// <param name="strict">The fallback that notes the failure; null if the decoder is lenient.</param>
    public static Decoder DecoderOf(Encoding encoding, out RecordingFallback? strict)
    {
        Decoder decoder = TextDecoder.Ready(encoding).GetDecoder();
        strict = encoding.DecoderFallback is StrictFallback fallback ? fallback.Recorder() : null;
        if (strict is not null)
        {
            decoder.Fallback = strict;
        }

        return decoder;
    }

    public override DecoderFallbackBuffer CreateFallbackBuffer() => new Buffer(encodingName);

    private RecordingFallback Recorder() => new(encodingName);

    private sealed class Buffer(string encodingName) : DecoderFallbackBuffer
    {
        public override int Remaining => 0;

        public override bool Fallback(byte[] bytesUnknown, int index) =>
            throw new OutputDecodingException(encodingName, bytesUnknown);

        public override char GetNextChar() => default;

        public override bool MovePrevious() => false;
    }
}
