using System;
using System.Globalization;
using System.Text;
using System.Threading;

namespace ProcessRunner.TestChild.Words;

/// <summary>Writes its value as a line to one of the two output descriptors.</summary>
internal abstract class TextWord : Word
{
    private string _text = "";

    public override string Values => "TEXT";

    protected override int ValueCount => 1;

    protected abstract int Descriptor { get; }

    public override void Run() => StandardStreams.WriteLine(Descriptor, _text);

    protected override void Accept(ReadOnlySpan<string> values) => _text = values[0];
}

internal sealed class EchoWord : TextWord
{
    public const string Id = "echo";

    public override string Name => Id;

    public override string Description => "TEXT as a line on standard output";

    protected override int Descriptor => StandardStreams.Output;
}

internal sealed class ErrWord : TextWord
{
    public const string Id = "err";

    public override string Name => Id;

    public override string Description => "TEXT as a line on standard error";

    protected override int Descriptor => StandardStreams.Error;
}

/// <summary>Writes its value to one of the two output descriptors, without a newline.</summary>
internal abstract class PrintBaseWord : Word
{
    private string _text = "";

    public override string Values => "TEXT";

    protected override int ValueCount => 1;

    protected abstract int Descriptor { get; }

    public override void Run() => StandardStreams.Write(Descriptor, Encoding.UTF8.GetBytes(_text));

    protected override void Accept(ReadOnlySpan<string> values) => _text = values[0];
}

internal sealed class PrintWord : PrintBaseWord
{
    public const string Id = "print";

    public override string Name => Id;

    public override string Description => "TEXT without a newline on standard output";

    protected override int Descriptor => StandardStreams.Output;
}

internal sealed class PrintErrWord : PrintBaseWord
{
    public const string Id = "print-err";

    public override string Name => Id;

    public override string Description => "TEXT without a newline on standard error";

    protected override int Descriptor => StandardStreams.Error;
}

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

internal sealed class FillWord : FillBaseWord
{
    public const string Id = "fill";

    public override string Name => Id;

    public override string Description => "BYTES bytes of FillText on standard output";

    protected override int Descriptor => StandardStreams.Output;
}

internal sealed class FillErrWord : FillBaseWord
{
    public const string Id = "fill-err";

    public override string Name => Id;

    public override string Description => "BYTES bytes of FillText on standard error";

    protected override int Descriptor => StandardStreams.Error;
}

internal sealed class TickWord : Word
{
    public const string Id = "tick";

    private long _count;
    private int _interval;

    public override string Name => Id;

    public override string Values => "COUNT MS";

    public override string Description => "prints 'tick 0', 'tick 1'..., COUNT lines, MS milliseconds apart";

    protected override int ValueCount => 2;

    public override void Run()
    {
        for (long number = 0; number < _count; number++)
        {
            if (number > 0)
            {
                Thread.Sleep(_interval);
            }

            StandardStreams.WriteLine(
                StandardStreams.Output, "tick " + number.ToString(CultureInfo.InvariantCulture));
        }
    }

    protected override void Accept(ReadOnlySpan<string> values)
    {
        _count = Number("COUNT", values[0], 0, long.MaxValue);
        _interval = (int)Number("MS", values[1], 0, LongestDelay);
    }
}

internal sealed class AlternateWord : Word
{
    public const string Id = "alternate";

    private long _count;

    public override string Name => Id;

    public override string Values => "COUNT";

    public override string Description => "COUNT pairs: 'o0' on standard output, 'e0' on standard error, 'o1'...";

    protected override int ValueCount => 1;

    public override void Run()
    {
        for (long number = 0; number < _count; number++)
        {
            string text = number.ToString(CultureInfo.InvariantCulture);
            StandardStreams.WriteLine(StandardStreams.Output, "o" + text);
            StandardStreams.WriteLine(StandardStreams.Error, "e" + text);
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) =>
        _count = Number("COUNT", values[0], 0, long.MaxValue);
}

internal sealed class WriteForeverWord : Word
{
    public const string Id = "write-forever";

    private int _interval;

    public override string Name => Id;

    public override string Values => "MS";

    public override string Description => "prints 'line 0', 'line 1'... every MS milliseconds until a write fails";

    protected override int ValueCount => 1;

    public override void Run()
    {
        for (long number = 0; ; number++)
        {
            StandardStreams.WriteLine(
                StandardStreams.Output, "line " + number.ToString(CultureInfo.InvariantCulture));
            Thread.Sleep(_interval);
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) =>
        _interval = (int)Number("MS", values[0], 0, LongestDelay);
}

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
