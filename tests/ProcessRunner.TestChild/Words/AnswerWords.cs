using System;
using System.Collections.Generic;
using System.Text;

namespace ProcessRunner.TestChild.Words;

internal sealed class AnswerWord : Word
{
    public const string Id = "answer";

    private string _text = "";

    public override string Name => Id;

    public override string Values => "TEXT";

    public override string Description =>
        "reads a line of standard input and writes it behind TEXT; fails if there is none";

    protected override int ValueCount => 1;

    public override void Run()
    {
        List<byte> line = [.. Encoding.UTF8.GetBytes(_text)];
        Span<byte> next = stackalloc byte[1];
        do
        {
            if (StandardStreams.ReadInput(next) == 0)
            {
                throw new WordFailedException($"standard input ended before the line of '{Name}'");
            }

            line.Add(next[0]);
        }
        while (next[0] != '\n');

        StandardStreams.Write(StandardStreams.Output, line.ToArray());
    }

    protected override void Accept(ReadOnlySpan<string> values) => _text = values[0];
}

internal sealed class TeeWord : Word
{
    public const string Id = "tee";

    public override string Name => Id;

    public override string Description => "copies standard input to standard output and error until its end";

    public override void Run()
    {
        byte[] chunk = new byte[StandardStreams.ChunkSize];
        int count;
        while ((count = StandardStreams.ReadInput(chunk)) > 0)
        {
            StandardStreams.Write(StandardStreams.Output, chunk.AsSpan(0, count));
            StandardStreams.Write(StandardStreams.Error, chunk.AsSpan(0, count));
        }
    }
}

internal sealed class PrintHexWord : Word
{
    public const string Id = "print-hex";

    private byte[] _bytes = [];

    public override string Name => Id;

    public override string Values => "DIGITS";

    public override string Description => "the bytes that the hexadecimal DIGITS are, on standard output";

    protected override int ValueCount => 1;

    public override void Run() => StandardStreams.Write(StandardStreams.Output, _bytes);

    protected override void Accept(ReadOnlySpan<string> values) => _bytes = Convert.FromHexString(values[0]);
}
