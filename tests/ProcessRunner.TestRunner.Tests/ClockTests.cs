using System.Globalization;
using System.IO;
using System.Xml.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies that a step of the system's clock, as after a pause of a virtual machine, is no verdict.</summary>
[OnlyOn(Systems.Linux, "a library that the loader puts before that of the system")]
public sealed class ClockTests
{
    // At a speed of 6000, half a second of a test is 50 minutes of this clock.
    private const string Clock = """
        #define _GNU_SOURCE
        #include <time.h>
        #include <unistd.h>
        #include <sys/syscall.h>

        int clock_gettime(clockid_t clock, struct timespec *time)
        {
            long result = syscall(SYS_clock_gettime, clock, time);
            if (result == 0 && clock == CLOCK_REALTIME)
            {
                struct timespec up;
                syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &up);
                time->tv_sec += up.tv_sec * SPEED + up.tv_nsec / 1000 * SPEED / 1000000;
            }

            return (int)result;
        }
        """;

    [FactWithTool("gcc")]
    public void AClockThatRuns_StopsNoTest() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(
            folder, "6000", PTestProgram.Command(
                folder.Path, PTestProgram.Hostile, "-e", "class:ExclusiveTests", "--timeout", "5m", "-v"));

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.").Should().Equal("ExclusiveTests.Waits_Passes PASS");
    });

    [FactWithTool("gcc")]
    public void AClockThatRunsAhead_MakesNoTimeNegative() => VerifyTimes("6000");

    [FactWithTool("gcc")]
    public void AClockThatRunsBack_MakesNoTimeNegative() => VerifyTimes("-2");

    /// <summary>A negative time is none that readers of reports expect, nor the history.</summary>
    private static void VerifyTimes(string speed) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessCommand command = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "EndlessTests.Never", "--timeout", "5s", "--report",
            "junit:j.xml", "--report", "json:e.jsonl", "--report", "trace:x.json", "-v");
        ProcessResult run = Run(folder, speed, command);

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.").Should().Equal("EndlessTests.Never TIMEOUT");
        XDocument.Load(folder.File("j.xml")).Descendants().Attributes("time").Should().NotBeEmpty()
            .And.OnlyContain(time => double.Parse(time.Value, CultureInfo.InvariantCulture) >= 0);
        File.ReadAllText(folder.File("e.jsonl")).Should().NotContain("\"seconds\":-");
        File.ReadAllText(folder.File("x.json")).Should().NotContain("\"dur\":-");
        Run(folder, "0", command).StandardError.Text.Should().BeEmpty("the history is one");
    });

    // The clock of the system is ahead by a multiple of the time since the start of the machine.
    private static ProcessResult Run(TemporaryFolder folder, string speed, ProcessCommand command)
    {
        File.WriteAllText(folder.File("clock.c"), Clock);
        string library = folder.File($"clock{speed}.so");
        new ProcessCommand("gcc", "-shared", "-fPIC", $"-DSPEED={speed}", "-o", library, folder.File("clock.c"))
            .Run().EnsureSuccess();
        return command.WithEnvironment("LD_PRELOAD", library).Run();
    }
}
