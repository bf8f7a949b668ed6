namespace ProcessRunner.TestChild.Words;

internal sealed class AbortWord : Word
{
    public const string Id = "abort";

    public override string Name => Id;

    public override string Description => "calls abort(3)";

    public override void Run() => LibC.Abort();
}
