using System;
using System.Text;

namespace ProcessRunner.TestChild.Words;

/// <summary>Writes the same bytes again and again to one of the two output descriptors.</summary>
internal abstract class RepeatBaseWord(string id, int descriptor, string? text, bool isBounded) : Word
{
    private string _text = text ?? "";
    private long _left = long.MaxValue;

    public override string Name => id;

    public override string Values => (text is null ? "TEXT " : "") + (isBounded ? "BYTES" : "");

    public override string Description =>
        (text switch { null => "TEXT, again and again", "\0" => "NUL bytes", _ => "lines 'y'" })
        + (isBounded ? ", BYTES bytes" : " until a write fails")
        + (descriptor == StandardStreams.Output ? "" : ", on standard error");

    protected override int ValueCount => (text is null ? 1 : 0) + (isBounded ? 1 : 0);

    public override void Run()
    {
        byte[] unit = Encoding.UTF8.GetBytes(_text);
        byte[] chunk = new byte[StandardStreams.ChunkSize / unit.Length * unit.Length];
        for (int i = 0; i < chunk.Length; i++)
        {
            chunk[i] = unit[i % unit.Length];
        }

        for (; _left > 0; _left -= chunk.Length)
        {
            StandardStreams.Write(descriptor, chunk.AsSpan(0, (int)Math.Min(chunk.Length, _left)));
        }
    }

    protected override void Accept(ReadOnlySpan<string> values)
    {
        _text = text ?? (values[0].Length > 0 ? values[0] : throw BadValue("TEXT is not empty", values[0]));
        _left = isBounded ? Number("BYTES", values[^1], 0, long.MaxValue) : long.MaxValue;
    }
}

internal sealed class ZerosWord() : RepeatBaseWord(Id, StandardStreams.Output, "\0", isBounded: true)
{
    public const string Id = "zeros";
}

internal sealed class RepeatWord() : RepeatBaseWord(Id, StandardStreams.Output, null, isBounded: true)
{
    public const string Id = "repeat";
}

internal sealed class RepeatErrWord() : RepeatBaseWord(Id, StandardStreams.Error, null, isBounded: true)
{
    public const string Id = "repeat-err";
}

internal sealed class YesWord() : RepeatBaseWord(Id, StandardStreams.Output, "y\n", isBounded: false)
{
    public const string Id = "yes";
}

internal sealed class YesErrWord() : RepeatBaseWord(Id, StandardStreams.Error, "y\n", isBounded: false)
{
    public const string Id = "yes-err";
}
