using System;
using System.Text;

namespace ProcessRunner.TestChild.Words;

/// <summary>Writes numbers, a line each, to one of the two output descriptors.</summary>
internal abstract class NumbersBaseWord(string id, int descriptor, bool isBounded) : Word
{
    private long _first;
    private long _bound;

    public override string Name => id;

    public override string Values => isBounded ? "FIRST BYTES" : "FIRST LAST";

    public override string Description =>
        (isBounded ? "FIRST, FIRST + 1... a line each, cut after BYTES bytes" : "FIRST to LAST, a line each")
        + (descriptor == StandardStreams.Output ? "" : ", on standard error");

    protected override int ValueCount => 2;

    public override void Run()
    {
        StringBuilder text = new();
        long left = isBounded ? _bound : long.MaxValue;
        for (long number = _first; left > 0 && (isBounded || number <= _bound); number++)
        {
            text.Append(number).Append('\n');
            if (text.Length >= Math.Min(left, StandardStreams.ChunkSize))
            {
                Write(text, ref left);
            }
        }

        Write(text, ref left);
    }

    protected override void Accept(ReadOnlySpan<string> values)
    {
        _first = Number("FIRST", values[0], 0, long.MaxValue);
        _bound = Number(isBounded ? "BYTES" : "LAST", values[1], 0, long.MaxValue);
    }

    private void Write(StringBuilder text, ref long left)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(text.ToString());
        text.Clear();
        int count = (int)Math.Min(left, bytes.Length);
        left -= count;
        StandardStreams.Write(descriptor, bytes.AsSpan(0, count));
    }
}

internal sealed class SeqWord() : NumbersBaseWord(Id, StandardStreams.Output, isBounded: false)
{
    public const string Id = "seq";
}

internal sealed class SeqErrWord() : NumbersBaseWord(Id, StandardStreams.Error, isBounded: false)
{
    public const string Id = "seq-err";
}

internal sealed class NumbersWord() : NumbersBaseWord(Id, StandardStreams.Output, isBounded: true)
{
    public const string Id = "numbers";
}

internal sealed class NumbersErrWord() : NumbersBaseWord(Id, StandardStreams.Error, isBounded: true)
{
    public const string Id = "numbers-err";
}
