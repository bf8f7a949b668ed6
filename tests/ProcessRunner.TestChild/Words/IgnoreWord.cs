namespace ProcessRunner.TestChild.Words;

internal sealed class IgnoreWord : DispositionWord
{
    public const string Id = "ignore";

    public override string Name => Id;

    public override string Description => "ignores SIGNAL: TERM, INT, HUP, QUIT, USR1, PIPE...";

    public override void Run() => SetDisposition(LibC.IgnoreDisposition);
}
