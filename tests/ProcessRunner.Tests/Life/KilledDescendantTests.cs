using System;
using System.Globalization;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies that the result names the descendants that the policy has ended.</summary>
[OnlyOn(Systems.Linux, "shell scripts, and descendants that leave their group")]
[NativeBackend("the portable backend cannot find descendants")]
public sealed class KilledDescendantTests
{
    [Theory]
    [InlineData("")]
    [InlineData("setsid ")]
    public void KillAlways_NamesThoseThatTheChildLeft(string prefix) => Guard.Run(() =>
    {
        ProcessResult result = Left(
            $"{prefix}sleep 1234 >/dev/null 2>&1 & {ToldOnceItIs("sleep 1234")}",
            DescendantPolicy.KillAlways);
        int sleeper = Id(result);
        result.KilledDescendants.Should().ContainSingle(killed => killed.CommandLine == "sleep 1234");
        result.SurvivingDescendants.Should().BeEmpty();
        ProcFs.IsAlive(sleeper).Should().BeFalse();
    });

    [Fact]
    public void KillAlways_OfAChildThatLeavesNobody_NamesNobody() => Guard.Run(() =>
        Left("true", DescendantPolicy.KillAlways).KilledDescendants.Should().BeEmpty());

    [Fact]
    public void Stop_NamesThoseThatOutlivedTheChild() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            $"(trap '' TERM; exec setsid sleep 1235 >/dev/null 2>&1) & {ToldOnceItIs("sleep 1235")}; "
            + "exec sleep 1236") with
        {
            StandardOutput = OutputTarget.Tee(OutputTarget.Live(), OutputTarget.Capture()),
            StopGrace = TimeSpan.FromMilliseconds(500),
        };
        using ChildProcess child = command.Start();
        child.WaitForLine(_ => true, TimeSpan.FromMinutes(1));
        ProcessResult result = child.Stop();
        result.KilledDescendants.Should().ContainSingle(killed => killed.CommandLine == "sleep 1235");
        result.SurvivingDescendants.Should().BeEmpty();
    });

    [Fact]
    public void Report_NamesThemAsSurvivorsAlone() => Guard.Run(() =>
    {
        ProcessResult result = Left(
            $"sleep 1237 >/dev/null 2>&1 & {ToldOnceItIs("sleep 1237")}", DescendantPolicy.Report);
        try
        {
            result.SurvivingDescendants.Should().ContainSingle(living => living.CommandLine == "sleep 1237");
            result.KilledDescendants.Should().BeEmpty();
        }
        finally
        {
            TestPrograms.Shell($"kill -9 {Id(result)}").Run().EnsureSuccess();
        }
    });

    // Before its exec, the descendant has the command line of the shell, and in the middle of it none.
    private static string ToldOnceItIs(string line) => $"{TestPrograms.UntilTheLastOneIs(line)}; echo $!";

    private static ProcessResult Left(string script, DescendantPolicy policy) =>
        (TestPrograms.Shell(script) with { Descendants = policy }).Run();

    private static int Id(ProcessResult result) =>
        int.Parse(result.StandardOutput.Text, CultureInfo.InvariantCulture);
}
