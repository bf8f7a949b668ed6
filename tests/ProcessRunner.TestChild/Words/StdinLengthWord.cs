using System.Globalization;

namespace ProcessRunner.TestChild.Words;

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
