using System;

namespace ProcessRunner.TestChild.Words;

internal sealed class StdinWord : Word
{
    public const string Id = "stdin";

    public override string Name => Id;

    public override string Description => "copies standard input to standard output until its end";

    public override void Run()
    {
        byte[] chunk = new byte[StandardStreams.ChunkSize];
        int count;
        while ((count = StandardStreams.ReadInput(chunk)) > 0)
        {
            StandardStreams.Write(StandardStreams.Output, chunk.AsSpan(0, count));
        }
    }
}
