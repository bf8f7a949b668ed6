namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies a working directory that may not be entered. The superuser may enter any directory, so the host becomes
/// nobody.
/// </summary>
internal sealed class UnenterableDirectory : IScenario
{
    private const int EACCES = 13;

    public string Name => "unenterable-directory";

    public void Play(string[] arguments)
    {
        string directory = arguments[0];
        ProcessCommand command = new("/bin/true");
        Expect.Equal(0, command.Run().ExitCode, "exit code before");
        if (NativeMethods.EffectiveUser() == 0)
        {
            NativeMethods.BecomeNobody();
        }

        try
        {
            ProcessResult result = (command with { WorkingDirectory = directory }).Run();
            Expect.True(false, $"it cannot be started: {result}");
        }
        catch (ProcessStartException exception)
        {
            Expect.Equal(ProcessStartStep.BadDirectory, exception.Step, "step");
            Expect.Equal(EACCES, exception.NativeErrorCode, "errno");
            Expect.True(exception.Message.Contains(directory), "the message names the directory");
            Expect.True(exception.Message.Contains("may not be entered"), "the message names the reason");
        }

        Expect.Equal(0, command.Run().ExitCode, "exit code after");
    }
}
