using System;
using System.IO;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies starts after the deletion of the current directory: a program that is found from there is missing, and any
/// other program runs.
/// </summary>
internal sealed class DeletedDirectory : IScenario
{
    private const int ENOENT = 2;

    public string Name => "deleted-directory";

    public void Play(string[] arguments)
    {
        Directory.SetCurrentDirectory(arguments[0]);
        Directory.Delete(arguments[0]);
        foreach (string? workingDirectory in (string?[])[null, "/usr"])
        {
            Runs(new ProcessCommand("/bin/true") { WorkingDirectory = workingDirectory });
            Runs(new ProcessCommand("true") { WorkingDirectory = workingDirectory });
            Fails(new ProcessCommand("./tool") { WorkingDirectory = workingDirectory }, ProcessStartStep.NotFound);
            Fails(
                new ProcessCommand("no-such-tool") { WorkingDirectory = workingDirectory }, ProcessStartStep.NotFound);
        }

        Fails(new ProcessCommand("/bin/true") { WorkingDirectory = "there" }, ProcessStartStep.BadDirectory);
        Fails(
            new ProcessCommand("/bin/true") { StandardOutput = OutputTarget.ToFile("there") },
            ProcessStartStep.BadStreamFile);
        Environment.SetEnvironmentVariable("PATH", $":there:{Environment.GetEnvironmentVariable("PATH")}");
        Runs(new ProcessCommand("true") { WorkingDirectory = "/usr" });
        using ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true });
        Expect.Equal(0, new ProcessCommand("true").Run(engine).ExitCode, "exit code beside a guardian");
    }

    private static void Runs(ProcessCommand command) =>
        Expect.Equal(0, command.Run().ExitCode, $"exit code of {command.FileName} in {command.WorkingDirectory}");

    private static void Fails(ProcessCommand command, ProcessStartStep step)
    {
        try
        {
            command.Run();
            Expect.True(false, $"{command.FileName} in {command.WorkingDirectory} cannot be started");
        }
        catch (ProcessStartException exception)
        {
            Expect.Equal(step, exception.Step, exception.Message);
            Expect.Equal(ENOENT, exception.NativeErrorCode, exception.Message);
        }
    }
}
