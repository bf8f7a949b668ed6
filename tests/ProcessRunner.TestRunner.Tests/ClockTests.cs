using System.IO;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies that a step of the system's clock, as after a pause of a virtual machine, is no verdict.</summary>
[OnlyOn(Systems.Linux, "a library that the loader puts before that of the system")]
public sealed class ClockTests
{
    // Half a second of a test is 50 minutes of this clock.
    private const string FastClock = """
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
                time->tv_sec += up.tv_sec * 6000 + up.tv_nsec / 1000 * 6 / 1000;
            }

            return (int)result;
        }
        """;

    [FactWithTool("gcc")]
    public void AClockThatRuns_StopsNoTest() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("clock.c"), FastClock);
        new ProcessCommand("gcc", "-shared", "-fPIC", "-o", folder.File("clock.so"), folder.File("clock.c"))
            .Run().EnsureSuccess();

        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:ExclusiveTests", "--timeout", "5m", "-v")
            .WithEnvironment("LD_PRELOAD", folder.File("clock.so")).Run();

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.").Should().Equal("ExclusiveTests.Waits_Passes PASS");
    });
}
