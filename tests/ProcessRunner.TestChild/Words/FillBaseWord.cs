using System;

namespace ProcessRunner.TestChild.Words;

/// <summary>Writes the first bytes of <see cref="FillText"/> to one of the two output descriptors.</summary>
internal abstract class FillBaseWord : Word
{
    private long _count;

    public override string Values => "BYTES";

    protected override int ValueCount => 1;

    protected abstract int Descriptor { get; }

    public override void Run()
    {
        byte[] chunk = new byte[StandardStreams.ChunkSize];
        long position = 0;
        while (position < _count)
        {
            Span<byte> piece = chunk.AsSpan(0, (int)Math.Min(chunk.Length, _count - position));
            FillText.Generate(piece, ref position);
            StandardStreams.Write(Descriptor, piece);
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) =>
        _count = Number("BYTES", values[0], 0, long.MaxValue);
}
