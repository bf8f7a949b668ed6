using System;
using System.Globalization;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestHost;

/// <summary>
/// Measures how much memory of this process many children take if they write a lot and a little of their output is
/// kept. The scenario has its own process, because the peak of the resident memory is process-wide.
/// </summary>
internal sealed class MemoryOfCaptures : IScenario
{
    private const int Children = 200;
    private const long Size = 64L * Megabyte;
    private const int Limit = Megabyte;
    private const long Budget = 256L * Megabyte;
    private const long Slack = 64L * Megabyte;
    private const int Megabyte = 1024 * 1024;

    public string Name => "memory-of-captures";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { CaptureBudget = Budget });
        ProcessCommand command = new("dd", "if=/dev/zero", "bs=1M", $"count={Size / Megabyte}", "status=none")
        {
            StandardOutput = OutputTarget.Capture(Limit),
        };
        command.Run(engine);
        GC.Collect();
        long managed = GC.GetTotalMemory(forceFullCollection: true);
        long resident = Resident("VmRSS:");

        ChildProcess[] children = [.. Enumerable.Range(0, Children).Select(_ => command.Start(engine))];
        ProcessResult[] results = [.. children.Select(child => child.Wait())];

        long peak = Resident("VmHWM:") - resident;
        managed = GC.GetTotalMemory(forceFullCollection: true) - managed;
        foreach (ProcessResult result in results)
        {
            Expect.Equal(0, result.ExitCode, "exit code");
            Expect.Equal(Size, result.StandardOutput.TotalBytes, "bytes that a child wrote");
            Expect.Equal((long)Limit, result.StandardOutput.Bytes.Length, "bytes that were kept");
        }

        Expect.True(managed >= (long)Children * Limit, $"the kept bytes are in memory: {managed}");
        Expect.True(managed < Budget, $"the garbage collector's memory stays within the budget: {managed}");
        Expect.True(peak < Budget + Slack, $"the resident memory stays within the budget and 64 MiB: {peak}");
    }

    private static long Resident(string name)
    {
        string line =
            File.ReadLines("/proc/self/status").First(line => line.StartsWith(name, StringComparison.Ordinal));
        return 1024 * long.Parse(
            line[name.Length..^2],
            NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite,
            CultureInfo.InvariantCulture);
    }
}
