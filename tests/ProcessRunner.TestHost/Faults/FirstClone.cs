using System.Linq;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies the first starts of a process that lacks a process or memory for them, with a setting that only the clone
/// can carry out: the shortage does not count as a kernel without the setting.
/// </summary>
internal sealed class FirstClone : IScenario
{
    private const int EAGAIN = 11;
    private const int Refusals = 4;

    public string Name => "first-clone";

    public void Play(string[] arguments)
    {
        int clones = 0;
        FaultPoint.Decide = call =>
            call == "clone" && Interlocked.Increment(ref clones) <= Refusals ? EAGAIN : 0;
        ProcessCommand command = new("nice") { Nice = 3 };
        string[] outputs = arguments[0] == "batch"
            ? [.. ProcessBatch.Run([command, command]).Results.Select(result => result.Result!.StandardOutput.Text)]
            : [command.Run().StandardOutput.Text, command.RunAsync().GetAwaiter().GetResult().StandardOutput.Text];
        FaultPoint.Decide = null;
        Expect.Equal("3\n3\n", string.Concat(outputs), "priorities of the children");
        Expect.True(clones > Refusals, "the clones were tried again");
    }
}
