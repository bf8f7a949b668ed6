namespace ProcessRunner.TestChild.Words;

internal sealed class ResetWord : DispositionWord
{
    public const string Id = "reset";

    public override string Name => Id;

    public override string Description => "gives SIGNAL its default disposition";

    public override void Run() => SetDisposition(LibC.DefaultDisposition);
}
