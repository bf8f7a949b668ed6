namespace ProcessRunner.TestChild.Words;

internal sealed class ErrWord : TextWord
{
    public const string Id = "err";

    public override string Name => Id;

    public override string Description => "TEXT as a line on standard error";

    protected override int Descriptor => StandardStreams.Error;
}
