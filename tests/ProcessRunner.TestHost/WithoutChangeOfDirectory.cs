using ProcessRunner.Faults;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies a C library whose posix_spawn cannot change the directory, as before glibc 2.29: a start that needs a
/// change reports this, and all other starts succeed.
/// </summary>
internal sealed class WithoutChangeOfDirectory : IScenario
{
    private const int ENOSYS = 38;

    public string Name => "without-change-of-directory";

    public void Play(string[] arguments)
    {
        FaultPoint.Decide = call => call == "posix_spawn_file_actions_addchdir_np" ? ENOSYS : 0;
        ProcessCommand command = new("/bin/true");
        using ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true });
        Expect.Equal(0, command.Run(engine).ExitCode, "exit code in our directory, beside a guardian");
        try
        {
            (command with { WorkingDirectory = "/usr" }).Run(engine);
            Expect.True(false, "it cannot be started in another directory");
        }
        catch (ProcessStartException exception)
        {
            Expect.Equal(ProcessStartStep.Other, exception.Step, exception.Message);
            Expect.Equal(ENOSYS, exception.NativeErrorCode, exception.Message);
            Expect.True(exception.Message.Contains("'/usr'"), $"the message names the directory: {exception.Message}");
            Expect.True(
                exception.Message.Contains("glibc 2.29"), $"the message names the requirement: {exception.Message}");
        }

        FaultPoint.Decide = null;
        Expect.Equal(0, (command with { WorkingDirectory = "/usr" }).Run(engine).ExitCode, "exit code where it can");
    }
}
