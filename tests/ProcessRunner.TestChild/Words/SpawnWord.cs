namespace ProcessRunner.TestChild.Words;

internal sealed class SpawnWord : SpawnBaseWord
{
    public const string Id = "spawn";

    public override string Name => Id;

    public override string Description => "runs the words in a child that has the same standard streams; does not wait";

    public override void Run() => Start().Dispose();
}
