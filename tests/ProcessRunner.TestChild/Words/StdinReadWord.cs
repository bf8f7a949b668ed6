using System;

namespace ProcessRunner.TestChild.Words;

internal sealed class StdinReadWord : Word
{
    public const string Id = "stdin-read";

    private long _count;

    public override string Name => Id;

    public override string Values => "BYTES";

    public override string Description => "reads exactly BYTES bytes of standard input; fails if it ends before";

    protected override int ValueCount => 1;

    public override void Run()
    {
        byte[] chunk = new byte[StandardStreams.ChunkSize];
        long left = _count;
        while (left > 0)
        {
            int count = StandardStreams.ReadInput(chunk.AsSpan(0, (int)Math.Min(chunk.Length, left)));
            if (count == 0)
            {
                throw new WordFailedException($"standard input ended {left} bytes before the {_count} of '{Name}'");
            }

            left -= count;
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) =>
        _count = Number("BYTES", values[0], 0, long.MaxValue);
}
