namespace ProcessRunner.TestChild.Words;

internal sealed class FillWord : FillBaseWord
{
    public const string Id = "fill";

    public override string Name => Id;

    public override string Description => "BYTES bytes of FillText on standard output";

    protected override int Descriptor => StandardStreams.Output;
}
