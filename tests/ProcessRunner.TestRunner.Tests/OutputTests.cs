using System.Globalization;
using System.Linq;
using System.Text.Json;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "a shell that prints")]
public sealed class OutputTests
{
    [Fact]
    public void AFailedTestsOwnOutput_StandsRightBelowItsName() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string[] lines =
        [
            .. PTestProgram.Command(
                folder.Path, PTestProgram.Hostile, "-e", "OrdinaryTests.Fails or FlakyTests.FailsOnce", "--isolation",
                "class", "-v").Run().StandardOutput.Lines(),
        ];
        string[] Below(string name) =>
        [
            .. lines.SkipWhile(line => !line.Contains($".HostileTests.{name}")).Skip(1)
                .TakeWhile(line => line.StartsWith("      ")).Select(line => line.Trim()),
        ];

        Below("OrdinaryTests.Fails").Should().Contain("printed by the failing test");
        Below("FlakyTests.FailsOnce").Should().Contain("printed by the flaky test");
    });

    [Theory]
    [InlineData(false, "class")]
    [InlineData(false, "assembly")]
    [InlineData(true, "class")]
    public void EachTest_GetsAllThatItWrote_AndNothingElse(bool isXunit3, string isolation) => Guard.Run(() =>
    {
        string suite = isXunit3 ? PTestProgram.HostileV3 : PTestProgram.Hostile;
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, suite, "-e", "class:PrintingTests", "--isolation", isolation, "--report", "json:e.jsonl")
            .Run();

        run.ExitCode.Should().Be(0, run.ToString());
        JsonElement[] tests = [.. new RunEvents(folder.File("e.jsonl")).Of("test")];
        tests.Should().HaveCount(3);
        foreach (JsonElement test in tests)
        {
            string name = test.GetProperty("name").GetString()!;
            char number = name[^2];
            string[] lines = test.GetProperty("output").GetString()!.TrimEnd('\n').Split('\n');
            lines.Should().OnlyContain(line => line.EndsWith(number), "{0} wrote no other", name);
            lines.Count(line => line.StartsWith("line")).Should().Be(16_000);
            lines.Count(line => line.StartsWith("end")).Should().Be(2);
            lines.Count(line => line.StartsWith("child")).Should().Be(1);
        }
    });

    /// <summary>It is between the outputs of tests that write more than is kept.</summary>
    [Fact]
    public void TheOutputOfATest_IsNotLostToOthers_AndALongOneTellsWhatIsLeftOut() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:ChattyTests", "--isolation", "class", "--report",
            "json:e.jsonl").WithEnvironment("HOSTILE_CHAT", "1").Run();

        string Output(string method) => new RunEvents(folder.File("e.jsonl")).Of("test")
            .Single(test => test.GetProperty("method").GetString() == method).GetProperty("output").GetString()!;
        Output("Second").Should().Be("written by the second test\n");
        foreach (string name in (string[])["first", "third"])
        {
            string[] lines = Output(char.ToUpperInvariant(name[0]) + name[1..]).TrimEnd('\n').Split('\n');
            lines[0].Should().Be($"begin of {name}");
            lines[^1].Should().Be($"end of {name}");
            lines.Sum(line => line.Length + 1).Should().BeLessThan(1_100_000);
            string note = lines.Should().ContainSingle(line => line.StartsWith("... ")).Which;
            int lost = int.Parse(note.Split(' ')[1], CultureInfo.InvariantCulture);
            lost.Should().BeCloseTo(30_000 * 100 - (1024 * 1024), 300);
        }
    });
}
