namespace ProcessRunner.TestChild.Words;

internal sealed class CloseOutputWord : Word
{
    public const string Id = "close-output";

    public override string Name => Id;

    public override string Description => "closes descriptor 1";

    public override void Run() => StandardStreams.Close(StandardStreams.Output);
}
