namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies the peak working set of a child that holds 200 MB. A small process plays this scenario, because Linux
/// attributes the memory of the starting process to the child until it executes its program.
/// </summary>
internal sealed class PeakMemory : IScenario
{
    public string Name => "peak-memory";

    public void Play(string[] arguments)
    {
        const long Held = 200_000_000;
        ProcessResult small = new ProcessCommand("/bin/true").Run();
        ProcessResult large = new ProcessCommand(
            "/bin/sh", "-c", $"head -c {Held} /dev/zero | tail -c {Held} >/dev/null").Run();
        Expect.Equal(0, large.ExitCode, "exit code");
        Expect.True(small.PeakWorkingSet > 100_000, "a small child needs some memory: " + small.PeakWorkingSet);
        Expect.True(small.PeakWorkingSet < Held, "a small child needs little memory: " + small.PeakWorkingSet);
        Expect.True(large.PeakWorkingSet > Held, "a large child's memory is counted: " + large.PeakWorkingSet);
        Expect.True(large.PeakWorkingSet < 2 * Held, "memory is counted in bytes: " + large.PeakWorkingSet);
    }
}
