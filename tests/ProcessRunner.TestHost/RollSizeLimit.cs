namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies children that a guardian watches where this process may not write any file: the roll of the guardian is a
/// memory file, to which the limit applies as well.
/// </summary>
internal sealed class RollSizeLimit : IScenario
{
    public string Name => "roll-size-limit";

    public void Play(string[] arguments)
    {
        ulong before = NativeMethods.SetFileSizeLimit(0);
        try
        {
            using ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true });
            Expect.Equal("one", Echo("one").Run(engine).StandardOutput.Text, "the output of a guarded engine's child");
            ProcessCommand guarded = Echo("two") with { KillOnParentExit = true };
            Expect.Equal("two", guarded.Run().StandardOutput.Text, "the output of a guarded child");
        }
        finally
        {
            NativeMethods.SetFileSizeLimit(before);
        }
    }

    private static ProcessCommand Echo(string text) => new("/bin/sh", "-c", "printf %s \"$1\"", "sh", text);
}
