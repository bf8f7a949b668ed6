using System;

namespace ProcessRunner.TestHost;

/// <summary>
/// Runs a child with all three standard streams of this process. A stream that is closed here is the null device there.
/// </summary>
internal sealed class InheritedStreams : IScenario
{
    public string Name => "inherited-streams";

    public void Play(string[] arguments)
    {
        ProcessCommand command = new(
            "/bin/sh", "-c", "if read line; then echo \"got $line\"; echo \"err $line\" >&2; fi; exit 4")
        {
            StandardInput = InputSource.Inherit,
            StandardOutput = OutputTarget.Inherit,
            StandardError = OutputTarget.Inherit,
            Timeout = TimeSpan.FromSeconds(20),
        };
        ProcessResult result = command.Run();
        Expect.Equal(4, result.ExitCode, "exit code");
        Expect.Equal(
            0, result.StandardOutput.TotalBytes + result.StandardError.TotalBytes, "bytes that came through us");
    }
}
