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

    /// <summary>Creates a fallback that only notes the first failure.</summary>
    public RecordingFallback Recorder() => new(encodingName);

    public override DecoderFallbackBuffer CreateFallbackBuffer() => new Buffer(encodingName);

    private sealed class Buffer(string encodingName) : DecoderFallbackBuffer
    {
        public override int Remaining => 0;

        public override bool Fallback(byte[] bytesUnknown, int index) =>
            throw new OutputDecodingException(encodingName, bytesUnknown);

        public override char GetNextChar() => default;

        public override bool MovePrevious() => false;
    }
}
