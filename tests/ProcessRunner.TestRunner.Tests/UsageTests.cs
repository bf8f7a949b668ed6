using System.IO;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies that arguments that make no sense are refused in one line, before anything runs.</summary>
public sealed class UsageTests
{
    [Theory]
    [InlineData("", "an empty text names no project")]
    [InlineData("nothing-there", "does not exist")]
    [InlineData("ptest.txt", "neither a test project nor a program of one")]
    public void ATargetThatIsNone_IsRefused(string target, string reason) => Refused([target], reason);

    [Theory]
    [InlineData("--timeout", "99999999999h", "longer than 500h")]
    [InlineData("--timeout", "-1", "not a time")]
    [InlineData("--shard", "hash:0/0", "not a part of the tests")]
    [InlineData("-j", "99999999999", "not a number")]
    [InlineData("-e", "", "was expected")]
    [InlineData("-e", "FullyQualifiedName~Cart", "Here it is 'Cart'")]
    [InlineData("--filter", "ClassName=Shop.CartTests&Priority=1", "Here it is 'class:Shop.CartTests'")]
    [InlineData("--filter", "Category!=Slow", "Here it is 'not trait:Category=Slow'")]
    [InlineData("-e", "class:", "has no name")]
    [InlineData("--leaks", "fail,ignore", "none of")]
    [InlineData("--report", "junit,html:report", "none of")]
    public void AValueThatCannotBeMeant_IsRefused(string option, string value, string reason) =>
        Refused([PTestProgram.Hostile, option, value], reason);

    [Fact]
    public void TwoReportsOfOneFile_AreRefused() =>
        Refused([PTestProgram.Hostile, "--report", "junit:a", "--report", "trx:./a"], "more than one report");

    [Fact]
    public void WhatFailedLastTime_WithoutHistory_IsRefused() =>
        Refused([PTestProgram.Hostile, "--rerun-failed", "--no-history"], "--no-history");

    [Fact]
    public void WhatFailedLastTime_OfAPartByTime_IsRefused() =>
        Refused([PTestProgram.Hostile, "--rerun-failed", "--shard", "time:1/2"], "--shard time");

    private static void Refused(string[] arguments, string reason) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.txt"), "");
        ProcessResult run = PTestProgram.Command(folder.Path, arguments).Run();

        run.ExitCode.Should().Be(2, run.ToString());
        run.StandardError.Lines().Should().ContainSingle().Which.Should().StartWith("ptest: ").And.Contain(reason);
        run.StandardOutput.Text.Should().BeEmpty();
    });
}
