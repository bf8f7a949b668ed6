using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies how many processes tests get, and when.</summary>
[OnlyOn(Systems.Linux, "the hostile suite, which starts shells")]
public sealed class ProcessCountTests
{
    [Theory]
    [InlineData("class", 2)]
    [InlineData("collection", 1)]
    public void ClassesOfACollection_ShareAProcess_IfThatIsAskedFor(string isolation, int count) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        Processes(folder, PTestProgram.Hostile, "-e", "collection:pair", "--isolation", isolation).Should()
            .HaveCount(count);
    });

    /// <summary>The sizes go by the start of a process and by the times of the tests.</summary>
    [Theory]
    [InlineData("0.1", "1000", 1)]
    [InlineData("1000", "100", 10)]
    public void AdaptiveUnits_AreAsLargeAsTheHistorySays(string test, string start, int count) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string[] command = [PTestProgram.Many, "-e", "class:Class00", "-j", "2"];
        Processes(folder, command);
        string path = Directory.EnumerateFiles(folder.File("ptest"), "*.json", SearchOption.AllDirectories).Single();
        string history = Regex.Replace(File.ReadAllText(path), "\"milliseconds\":[^,]*", $"\"milliseconds\":{test}");
        File.WriteAllText(
            path, Regex.Replace(history, "\"startMilliseconds\":[^,]*", $"\"startMilliseconds\":{start}"));

        Processes(folder, command).Should().HaveCount(count);
    });

    /// <summary>Each pause is twice as long as the one before.</summary>
    [Fact]
    public void ARetry_WaitsLongerEachTime() => Guard.Run(() => SteadyClock.During(() =>
    {
        using TemporaryFolder folder = new();
        JsonElement[] processes = Processes(
            folder, PTestProgram.Hostile, "-e", "OrdinaryTests.Fails", "--retries", "2", "--retry-delay", "1s");
        DateTime Start(int process) => processes[process].GetProperty("started").GetDateTime();
        double Pause(int process) => (Start(process) - Start(process - 1)).TotalSeconds
            - processes[process - 1].GetProperty("seconds").GetDouble();

        processes.Should().HaveCount(3);
        Pause(1).Should().BeGreaterThan(0.9);
        Pause(2).Should().BeGreaterThan(1.9);
    }));

    private static JsonElement[] Processes(TemporaryFolder folder, params string[] arguments)
    {
        ProcessResult run = PTestProgram.Command(folder.Path, [.. arguments, "--report", "json:e.jsonl"]).Run();
        run.ExitCode.Should().BeLessThan(2, run.ToString());
        return [.. new RunEvents(folder.File("e.jsonl")).Of("process")];
    }
}
