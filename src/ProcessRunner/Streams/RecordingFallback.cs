using System.Text;

namespace ProcessRunner.Streams;

/// <summary>
/// Notes the first bytes that a decoder cannot decode, so that the text before them can be used. For one decoder.
/// </summary>
internal sealed class RecordingFallback(string encodingName) : DecoderFallback
{
    /// <summary>
    /// The character in the place of those bytes. A text that has it before them, which is not meant to be exchanged,
    /// ends there.
    /// </summary>
    public const char Mark = '\uFFFF';

    /// <summary>Gets the failure, or null.</summary>
    public OutputDecodingException? Failure { get; private set; }

    public override int MaxCharCount => 1;

    public override DecoderFallbackBuffer CreateFallbackBuffer() => new Buffer(this, encodingName);

    private sealed class Buffer(RecordingFallback record, string encodingName) : DecoderFallbackBuffer
    {
        private int _remaining;

        public override int Remaining => _remaining;

        public override bool Fallback(byte[] bytesUnknown, int index)
        {
            record.Failure ??= new OutputDecodingException(encodingName, bytesUnknown);
            _remaining = 1;
            return true;
        }

        public override char GetNextChar()
        {
            bool hasMark = _remaining > 0;
            _remaining = 0;
            return hasMark ? Mark : default;
        }

        public override bool MovePrevious() => false;

        public override void Reset() => _remaining = 0;
    }
}
