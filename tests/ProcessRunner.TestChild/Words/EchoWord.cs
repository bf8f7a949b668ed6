namespace ProcessRunner.TestChild.Words;

internal sealed class EchoWord : TextWord
{
    public const string Id = "echo";

    public override string Name => Id;

    public override string Description => "TEXT as a line on standard output";

    protected override int Descriptor => StandardStreams.Output;
}
