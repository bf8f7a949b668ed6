using System.Linq;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Looks at the bytes that a terminal gets, by script(1).</summary>
[OnlyOn(Systems.Linux, "a terminal by script(1)")]
public sealed partial class ScreenTests
{
    [Theory]
    [InlineData(60)]
    [InlineData(12)]
    public void TheState_IsOneLineForEachTest_AndGoneAtTheEnd(int columns) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string program = PTestProgram.Command(folder.Path).FileName;
        ProcessResult run = PTestProgram.InTerminal(
            folder.Path, columns,
            $"{program} {PTestProgram.Hostile} -e 'method:Slow or method:Never' --isolation test -j 2 --timeout 15s");
        string text = run.StandardOutput.Text.Replace("\r", "");

        // A state begins where the one before it was erased: "up N lines, clear to the end".
        string[] states = Erasure().Replace(text, "\f").Split('\f');
        states.Length.Should().BeGreaterThan(5, text);
        MatchCollection erasures = Erasure().Matches(text);
        string[] drawn = [.. states.Skip(1).SkipLast(1).Select(state => Style().Replace(state, ""))];
        for (int index = 0; index < drawn.Length; index++)
        {
            string[] lines = [.. drawn[index].Split('\n').SkipLast(1)];
            lines.TakeLast(int.Parse(erasures[index + 1].Groups[1].Value, null))
                .Should().OnlyContain(line => line.Length < columns);
        }

        if (columns == 60)
        {
            drawn.Should().Contain(state => state.Contains("0/2") && state.Contains("EndlessTests.Never"));
            drawn.Should().Contain(state => state.Contains("1/2  1 passed") && state.Contains("left"));
        }

        string end = Style().Replace(states[^1], "");
        end.Should().Contain("1 passed, 1 failed").And.NotContain("1/2");
    });

    [GeneratedRegex(@"\e\[(\d+)A\e\[J")]
    private static partial Regex Erasure();

    [GeneratedRegex(@"\e\[[0-9;]*m")]
    private static partial Regex Style();
}
