namespace ProcessRunner.TestChild.Words;

internal sealed class FillErrWord : FillBaseWord
{
    public const string Id = "fill-err";

    public override string Name => Id;

    public override string Description => "BYTES bytes of FillText on standard error";

    protected override int Descriptor => StandardStreams.Error;
}
