using System;
using System.Globalization;
using System.IO;

namespace ProcessRunner.TestChild.Words;

internal abstract class StdinBaseWord(string id, int descriptor) : Word
{
    public override string Name => id;

    public override string Description => "copies standard input to standard "
        + (descriptor == StandardStreams.Output ? "output" : "error") + " until its end";

    public override void Run()
    {
        byte[] chunk = new byte[StandardStreams.ChunkSize];
        int count;
        while ((count = StandardStreams.ReadInput(chunk)) > 0)
        {
            StandardStreams.Write(descriptor, chunk.AsSpan(0, count));
        }
    }
}

internal sealed class StdinWord() : StdinBaseWord(Id, StandardStreams.Output)
{
    public const string Id = "stdin";
}

internal sealed class StdinErrWord() : StdinBaseWord(Id, StandardStreams.Error)
{
    public const string Id = "stdin-err";
}

internal sealed class StdinLengthWord : Word
{
    public const string Id = "stdin-length";

    public override string Name => Id;

    public override string Description => "reads standard input to its end and prints the number of bytes";

    public override void Run()
    {
        byte[] chunk = new byte[StandardStreams.ChunkSize];
        long total = 0;
        int count;
        while ((count = StandardStreams.ReadInput(chunk)) > 0)
        {
            total += count;
        }

        StandardStreams.WriteLine(StandardStreams.Output, total.ToString(CultureInfo.InvariantCulture));
    }
}

internal sealed class StdinReadWord : Word
{
    public const string Id = "stdin-read";

    private long _count;

    public override string Name => Id;

    public override string Values => "BYTES";

    public override string Description => "reads exactly BYTES bytes of standard input; fails if there are fewer";

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

internal sealed class StdinLineWord : Word
{
    public const string Id = "stdin-line";

    public override string Name => Id;

    public override string Description => "reads standard input to the end of a line; fails if there is none";

    public override void Run()
    {
        Span<byte> next = stackalloc byte[1];
        do
        {
            if (StandardStreams.ReadInput(next) == 0)
            {
                throw new WordFailedException($"standard input ended before the line of '{Name}'");
            }
        }
        while (next[0] != '\n');
    }
}

internal sealed class CloseStdioWord : Word
{
    public const string Id = "close-stdio";

    public override string Name => Id;

    public override string Description => "continues with standard input, output and error on /dev/null";

    public override void Run() => StandardStreams.ReplaceAllByNullDevice();
}

internal sealed class CloseInputWord : Word
{
    public const string Id = "close-input";

    public override string Name => Id;

    public override string Description => "closes descriptor 0";

    public override void Run() => StandardStreams.Close(StandardStreams.Input);
}

internal sealed class CloseOutputWord : Word
{
    public const string Id = "close-output";

    public override string Name => Id;

    public override string Description => "closes descriptor 1";

    public override void Run() => StandardStreams.Close(StandardStreams.Output);
}

internal sealed class CloseErrorWord : Word
{
    public const string Id = "close-error";

    public override string Name => Id;

    public override string Description => "closes descriptor 2";

    public override void Run() => StandardStreams.Close(StandardStreams.Error);
}

/// <summary>Copies a file to one of the two output descriptors.</summary>
internal abstract class CatBaseWord(string id, int descriptor) : Word
{
    private string _file = "";

    public override string Name => id;

    public override string Values => "FILE";

    public override string Description =>
        "copies FILE to standard " + (descriptor == StandardStreams.Output ? "output" : "error");

    protected override int ValueCount => 1;

    public override void Run()
    {
        try
        {
            using FileStream file = new(_file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
            byte[] chunk = new byte[StandardStreams.ChunkSize];
            int count;
            while ((count = file.Read(chunk)) > 0)
            {
                StandardStreams.Write(descriptor, chunk.AsSpan(0, count));
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new WordFailedException($"'{Name} {_file}': {exception.GetType().Name}");
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) => _file = values[0];
}

internal sealed class CatWord() : CatBaseWord(Id, StandardStreams.Output)
{
    public const string Id = "cat";
}

internal sealed class CatErrWord() : CatBaseWord(Id, StandardStreams.Error)
{
    public const string Id = "cat-err";
}
