namespace ProcessRunner.TestChild.Words;

internal sealed class SessionWord : Word
{
    public const string Id = "session";

    public override string Name => Id;

    public override string Description => "goes on in a session of its own: setsid(2)";

    public override void Run()
    {
        if (LibC.StartSession() < 0)
        {
            throw new WordFailedException("'session': the process already leads a process group");
        }
    }
}
