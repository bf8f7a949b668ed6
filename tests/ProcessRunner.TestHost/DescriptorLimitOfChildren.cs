using System.Linq;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies the descriptor limits of children when the parent of this process had the soft limit in the arguments, or
/// an unknown limit.
/// </summary>
internal sealed class DescriptorLimitOfChildren : IScenario
{
    private const ulong Own = 300;

    public string Name => "descriptor-limit-of-children";

    public void Play(string[] arguments)
    {
        string soft = arguments[0];
        string hard = arguments[1];
        ProcessCommand command = new("/bin/sh", "-c", "ulimit -Sn; ulimit -Hn");
        string limits = $"{soft}\n{hard}\n";
        Expect.Equal(limits, command.Run().StandardOutput.Text, "limits of a child");
        Expect.True(
            ProcessBatch.Enumerate([command, command]).All(item => item.Result?.StandardOutput.Text == limits),
            "limits in a batch");
        ProcessCommand elsewhere =
            command with { WorkingDirectory = "/", StandardInput = InputSource.FromFile("/dev/null") };
        Expect.Equal(limits, elsewhere.Run().StandardOutput.Text, "limits of a child with a directory and a file");

        using ProcessEngine engine = new(new ProcessEngineOptions { InheritDescriptorLimit = true });
        Expect.Equal(
            $"{hard}\n{hard}\n", command.Run(engine).StandardOutput.Text, "limits of a child that inherits ours");

        // This program has set its own limit.
        NativeMethods.SetDescriptorLimit(Own);
        Expect.Equal(
            $"{Own}\n{hard}\n", command.Run().StandardOutput.Text, "limits after this process has set its own");
    }
}
