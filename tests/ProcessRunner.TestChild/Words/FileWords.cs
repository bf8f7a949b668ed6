using System;
using System.IO;

namespace ProcessRunner.TestChild.Words;

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
