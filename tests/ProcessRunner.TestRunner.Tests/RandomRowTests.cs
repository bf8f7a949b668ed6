using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies theories whose data differ in each process, as by <c>Guid.NewGuid()</c>.</summary>
[OnlyOn(Systems.Linux, "the hostile suites")]
public sealed class RandomRowTests
{
    [Theory]
    [InlineData("", "class")]
    [InlineData("", "test")]
    [InlineData("", "assembly")]
    [InlineData(".V3", "class")]
    [InlineData(".V3", "test")]
    public void EachRow_RunsOnce_WithTheDataOfItsProcess(string suite, string isolation) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string target = suite.Length == 0 ? PTestProgram.Hostile : PTestProgram.HostileV3;
        ProcessResult run = PTestProgram.Command(
            folder.Path, target, "-e", "class:RandomRowTests", "--isolation", isolation, "-v").Run();

        IReadOnlyList<string> rows = PTestProgram.Verdicts(run, "");
        rows.Select(row => string.Join(' ', row.Split(' ', '"').Where(word => word is
            "same" or "good" or "bad" or "PASS" or "FAIL"))).Should().BeEquivalentTo(
            ["same PASS", "good PASS", "bad FAIL", "good PASS"], run.ToString());
        rows.Should().OnlyHaveUniqueItems();
        run.StandardOutput.Lines()[^1].Should().Be("3 passed, 1 failed");
    });
}
