using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies what is told of a process that a test leaves behind once, and not again.</summary>
[OnlyOn(Systems.Linux, "shells that leave processes behind")]
public sealed class LeakHuntTests
{
    private const string First = "LeakOnceTests.First_Passes";
    private const string Second = "LeakOnceTests.Second_Passes";
    private const string Process = "ProcessRunner.HostileTests.NUnit (process)";

    /// <summary>The second run decides nothing: the other test, which came to its end, is not to blame.</summary>
    [Theory]
    [InlineData("exit first")]
    [InlineData("fail first")]
    public void ATestWhoseSecondRunDoesNotPass_IsTheOwner_IfAllOthersAreNot(string second) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(folder, second);

        PTestProgram.Verdicts(run, "HostileNUnit.").Should().Equal($"{First} LEAK", $"{Second} PASS");
        run.StandardOutput.Text.Should().Contain("(the test did not pass again, and no other test leaves it behind)");
    });

    [Theory]
    [InlineData("passes")]
    [InlineData("exit first second")]
    public void ALeakWithoutAnOwner_IsToldOfTheProcess_AndNamesTheTests(string second) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(folder, second);

        PTestProgram.Verdicts(run, "").Should().Equal(
            $"HostileNUnit.{First} PASS", $"HostileNUnit.{Second} PASS", $"{Process} LEAK");
        run.StandardOutput.Text.Should().Contain(
            $"(by one of these, but none did it again: HostileNUnit.{First}, HostileNUnit.{Second})");
    });

    [Theory]
    [InlineData("warn", "LEAK", 0)]
    [InlineData("fail", "LEAK", 1)]
    [InlineData("ignore", "PASS", 0)]
    public void AProcessLeftBehind_IsWorthWhatTheOptionSays(string policy, string verdict, int exitCode) =>
        Guard.Run(() =>
        {
            using TemporaryFolder folder = new();
            ProcessResult run = PTestProgram.Command(
                folder.Path, PTestProgram.Hostile, "-e", "LeakInSilenceTests.Leaks", "--leaks", policy, "-v").Run();

            PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.").Should().Equal(
                $"LeakInSilenceTests.Leaks {verdict}");
            run.StandardOutput.Text.Contains("left behind: ").Should().Be(verdict == "LEAK");
            run.ExitCode.Should().Be(exitCode);
        });

    /// <summary>It is seen after the end of another test, or of one that has a name of its own nowhere.</summary>
    [Theory]
    [InlineData("LeakOwnerTests", "First LEAK, Second PASS, Third PASS", "1000.9")]
    [InlineData("NamelessLeakTests", "Leaks LEAK", "1000.95")]
    public void ALeakOfOneTest_IsItsOwn_WhereverItIsSeen(string name, string verdicts, string leak) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", $"class:{name}", "--isolation", "class", "-v")
            .WithEnvironment("HOSTILE_OWNER", "1").Run();

        string.Join(", ", PTestProgram.Verdicts(run, $"ProcessRunner.HostileTests.{name}.")).Should().Be(verdicts);
        run.StandardOutput.Text.Should().MatchRegex($@"left behind: .*sleep {Regex.Escape(leak)}(\s|$)");
    });

    // One process at a time, so that the second test is the last one that runs again.
    private static ProcessResult Run(TemporaryFolder folder, string second) => PTestProgram.Command(
        folder.Path, PTestProgram.HostileBy("NUnit"), "-e", "class:LeakOnceTests", "--isolation", "class", "-j", "1",
        "-v").WithEnvironment("HOSTILE_SECOND", second).Run();
}
