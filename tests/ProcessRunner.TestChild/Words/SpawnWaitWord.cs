using System.Diagnostics;

namespace ProcessRunner.TestChild.Words;

internal sealed class SpawnWaitWord : SpawnBaseWord
{
    public const string Id = "spawn-wait";

    public override string Name => Id;

    public override string Description => "the same, and waits until the child has ended, whatever its exit code";

    public override void Run()
    {
        using Process process = Start();
        process.WaitForExit();
    }
}
