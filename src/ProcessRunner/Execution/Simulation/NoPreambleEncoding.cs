using System;
using System.Text;

namespace ProcessRunner.Execution.Simulation;

/// <summary>Encodes as another encoding does, without its byte order mark.</summary>
internal sealed class NoPreambleEncoding(Encoding encoding) : Encoding
{
    public override ReadOnlySpan<byte> Preamble => default;

    public override byte[] GetPreamble() => [];

    public override int GetByteCount(char[] chars, int index, int count) => encoding.GetByteCount(chars, index, count);

    public override int GetBytes(char[] chars, int charIndex, int charCount, byte[] bytes, int byteIndex) =>
        encoding.GetBytes(chars, charIndex, charCount, bytes, byteIndex);

    public override int GetCharCount(byte[] bytes, int index, int count) => encoding.GetCharCount(bytes, index, count);

    public override int GetChars(byte[] bytes, int byteIndex, int byteCount, char[] chars, int charIndex) =>
        encoding.GetChars(bytes, byteIndex, byteCount, chars, charIndex);

    public override int GetMaxByteCount(int charCount) => encoding.GetMaxByteCount(charCount);

    public override int GetMaxCharCount(int byteCount) => encoding.GetMaxCharCount(byteCount);

    public override Encoder GetEncoder() => encoding.GetEncoder();

    public override Decoder GetDecoder() => encoding.GetDecoder();
}
