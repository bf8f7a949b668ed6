namespace ProcessRunner.TestChild.Words;

internal sealed class CloseErrorWord : Word
{
    public const string Id = "close-error";

    public override string Name => Id;

    public override string Description => "closes descriptor 2";

    public override void Run() => StandardStreams.Close(StandardStreams.Error);
}
