namespace ProcessRunner.TestChild.Words;

internal sealed class CloseInputWord : Word
{
    public const string Id = "close-input";

    public override string Name => Id;

    public override string Description => "closes descriptor 0";

    public override void Run() => StandardStreams.Close(StandardStreams.Input);
}
