using System.Collections.Generic;
using System.Globalization;
using PTest.Hosts;
using PTest.Suites;

namespace PTest.Running;

/// <summary>
/// Represents a process that lived on at the end of a test, as its host saw it, or one that showed no environment then
/// and may be a stranger's.
/// </summary>
/// <param name="ProcessId">Its id.</param>
/// <param name="StartTicks">When it started, which tells it from another process with the same id.</param>
/// <param name="CommandLine">Its command line at that moment.</param>
/// <param name="Owners">The tests that may have started it: one if they ran one after another.</param>
/// <param name="IsStranger">Whether it may be a stranger's.</param>
/// <param name="Row">The name of the test, with the data of its row, after whose end it was seen.</param>
internal sealed record LeftProcess(
    int ProcessId, long StartTicks, string CommandLine, IReadOnlyList<TestCase> Owners, bool IsStranger, string Row)
{
    /// <summary>Gets whether the process lives now.</summary>
    public bool IsAlive =>
        ProcessFacts.Of(ProcessId) is { IsAlive: true } process && process.StartTicks == StartTicks;

    /// <summary>Reads the event of a host.</summary>
    public static LeftProcess Of(HostEvent happening, IReadOnlyList<TestCase> owners) => new(
        int.Parse(happening.Process!, CultureInfo.InvariantCulture),
        long.Parse(happening.Ticks!, CultureInfo.InvariantCulture),
        happening.Command ?? "",
        owners,
        happening.Event == EventNames.Unclear,
        happening.Test ?? "");
}
