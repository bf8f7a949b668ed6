namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies that a first start with too few descriptors for the fast way takes the other way, and that the next start
/// retries the fast way.
/// </summary>
internal sealed class SelfTestAtDescriptorLimit : IScenario
{
    private const int PipesOfARun = 4;

    public string Name => "self-test-at-descriptor-limit";

    public void Play(string[] arguments)
    {
        // The engine exists then, but nothing has been started.
        try
        {
            new ProcessCommand("no-such-program").Run();
        }
        catch (ProcessStartException)
        {
            Expect.Equal("Unknown", SelfTest.Verdict, "the verdict before the first start");
        }

        ProcessCommand command = new("true");
        ulong before = NativeMethods.SetDescriptorLimit(OpenDescriptors.LimitFor(PipesOfARun));
        ProcessResult result = command.Run();
        NativeMethods.SetDescriptorLimit(before);
        Expect.Equal(0, result.ExitCode, "exit code at the limit");
        Expect.Equal(SelfTest.IsMade ? "Unknown" : "Failed", SelfTest.Verdict, "the verdict after a shortage");
        Expect.Equal(0, command.Run().ExitCode, "exit code without the limit");
        Expect.Equal(SelfTest.RightVerdict, SelfTest.Verdict, "the verdict without the limit");
        Expect.True(!NativeMethods.HasChildren, "no child is left, not even a zombie");
    }
}
