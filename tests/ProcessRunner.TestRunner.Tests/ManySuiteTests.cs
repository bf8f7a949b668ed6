using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;
using Xunit.Abstractions;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "deaths by SIGKILL, and processes found in /proc")]
public sealed class ManySuiteTests(ITestOutputHelper output)
{
    private const int Classes = 1000;
    private const string SeedVariable = "PTEST_SEED";
    private const string TwiceAtBegin = "(process) FLAKY";

    // A process for each class takes minutes of a busy machine; one for five is as random.
    private static readonly bool s_isBig = Environment.GetEnvironmentVariable("PTEST_MANY") == "class";

    private static readonly string[] s_tests = ["One_Passes", "Two_Passes", "Three_Passes"];

    /// <summary>
    /// A test whose process is killed is tried again: all pass at last, and each is told once. A process that is killed
    /// after a test and before the next one, or twice before its first one, has a line of its own.
    /// </summary>
    [Fact]
    public void AThousandClasses_SomeProcessesKilled_NoTestIsLostAndNoneIsToldTwice() =>
        Guard.Run(() =>
        {
            (string isolation, int oneIn) = s_isBig ? ("class", 100) : ("chunk:5", 20);
            int seed = int.TryParse(Environment.GetEnvironmentVariable(SeedVariable), out int given)
                ? given
                : Random.Shared.Next();
            output.WriteLine($"{SeedVariable}={seed}");
            using TemporaryFolder folder = new();
            using ChildProcess run = PTestProgram.Command(
                folder.Path, PTestProgram.Many, "--isolation", isolation, "--retries", "5", "-v").Start();

            // Until it executes its program, a child has the command line of the runner. So have the children by which
            // the library tests the machine.
            string commandLine = $"\0exec\0{PTestProgram.Many}";
            using ProcessKiller killer = new(run.ProcessId, commandLine, new Random(seed), oneIn);
            ProcessResult result = run.Wait();
            killer.Dispose();
            output.WriteLine($"{killer.Killed} of {killer.Seen} processes were killed");

            ILookup<bool, string> told = PTestProgram.Verdicts(result, "ProcessRunner.ManyTests.")
                .ToLookup(line => line.EndsWith(" (cleanup) FLAKY", StringComparison.Ordinal) || line == TwiceAtBegin);
            int ends = told[true].Count();
            output.WriteLine($"{ends} of them around tests");
            IEnumerable<string> expected = Enumerable.Range(0, Classes).SelectMany(number => s_tests.Select(
                test => string.Create(
                    CultureInfo.InvariantCulture, $"Class{number:000}.{test}")));
            killer.Killed.Should().BePositive($"{SeedVariable}={seed}");
            told[false].Select(line => line.Split(' ')[0]).Should().Equal(
                expected.Order(StringComparer.Ordinal), $"{SeedVariable}={seed}");
            ends.Should().BeLessThanOrEqualTo(killer.Killed);
            result.StandardOutput.Text.Should().Contain($"{(Classes * s_tests.Length) + ends} passed, 0 failed");
            result.ExitCode.Should().Be(0, $"{SeedVariable}={seed}");
        });
}
