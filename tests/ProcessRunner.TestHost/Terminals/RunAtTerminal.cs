using System;

namespace ProcessRunner.TestHost.Terminals;

/// <summary>
/// Runs one child and writes its result to the screen: <c>INPUT MODE SCRIPT [ARGUMENT...]</c>. The input is
/// <c>inherit</c> or <c>null</c>. The standard error of the script goes straight to the screen.
/// </summary>
internal sealed class RunAtTerminal : IScenario
{
    public string Name => "run-at-terminal";

    public void Play(string[] arguments)
    {
        ProcessCommand command = new ProcessCommand(
            "/bin/sh", "-c", arguments[2], "sh").WithArguments(arguments[3..]) with
        {
            StandardInput = arguments[0] == "inherit" ? InputSource.Inherit : InputSource.Null,
            StandardError = OutputTarget.Inherit,
            GroupMode = Enum.Parse<ProcessGroupMode>(arguments[1]),
        };
        ProcessResult result = command.Run();
        Console.Out.WriteLine($"result: {result.Outcome} {result.ExitCode} [{result.StandardOutput.Text.TrimEnd()}]");
        Console.Out.Flush();
    }
}
