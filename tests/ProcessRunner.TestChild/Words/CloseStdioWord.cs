namespace ProcessRunner.TestChild.Words;

internal sealed class CloseStdioWord : Word
{
    public const string Id = "close-stdio";

    public override string Name => Id;

    public override string Description => "goes on with standard input, output and error on /dev/null";

    public override void Run() => StandardStreams.ReplaceAllByNullDevice();
}
