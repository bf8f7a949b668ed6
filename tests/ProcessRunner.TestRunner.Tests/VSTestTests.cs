using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "a death by a signal")]
public sealed class VSTestTests
{
    private const string Prefix = "HostileVSTest.";

    /// <summary>No other way leads into an adapter without a program of its own.</summary>
    [Fact]
    public void AnAssemblyForVSTestAlone_RunsAsAWhole() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(folder.Path, PTestProgram.HostileBy("VSTest"), "-v").Run();

        PTestProgram.Verdicts(run, Prefix).Should().BeEquivalentTo(
            "CrashTests.CrashesIfAsked PASS", "FixtureTests(1).Fails FAIL", "HangTests.HangsIfAsked PASS",
            @"OrdinaryTests.Odd & | = ! ~ \ name PASS", "OrdinaryTests.Fails FAIL",
            "OrdinaryTests.Passes PASS", "OrdinaryTests.Row(-1) FAIL", "OrdinaryTests.Row(1) PASS",
            "OrdinaryTests.Skipped SKIP", "TearDownTests.Passes PASS");
        run.ExitCode.Should().Be(1);
    });

    /// <summary>vstest itself fails then, though no test does.</summary>
    [Fact]
    public void WhatFailsAroundTheTests_IsNoPass() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("VSTest"), "-e", "class:TearDownTests", "-v")
            .WithEnvironment("HOSTILE_CLEANUP", "throw").Run();

        PTestProgram.Verdicts(run, "").Should().Equal(
            "HostileVSTest.TearDownTests.Passes PASS", "ProcessRunner.HostileTests.VSTest (cleanup) FAIL");
        run.StandardOutput.Text.Should().Contain("the class fails at its end");
        run.ExitCode.Should().Be(1);
    });

    [Fact]
    public void AnExitCodeThatNoTestExplains_IsNoPass() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(folder, """
            for argument; do
                case $argument in
                    --ResultsDirectory:*) exit 3 ;;
                esac
            done
            """, "-e", "class:TearDownTests");

        PTestProgram.Verdicts(run, Prefix).Should().Equal("TearDownTests (cleanup) EXIT", "TearDownTests.Passes PASS");
        run.ExitCode.Should().Be(1);
    });

    [Fact]
    public void TestsThatAreNotChosen_DoNotRun() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("VSTest"), "-e",
            "not class:CrashTests and not method:Fails and not class:HangTests", "-v")
            .WithEnvironment("HOSTILE_CRASH", "1").Run();

        PTestProgram.Verdicts(run, Prefix).Should().BeEquivalentTo(
            @"OrdinaryTests.Odd & | = ! ~ \ name PASS", "OrdinaryTests.Passes PASS", "OrdinaryTests.Row(-1) FAIL",
            "OrdinaryTests.Row(1) PASS", "OrdinaryTests.Skipped SKIP", "TearDownTests.Passes PASS");
        run.ExitCode.Should().Be(1);
    });

    [Fact]
    public void ATraitOfATest_IsNoFilter() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("VSTest"), "-e", "not trait:Category=Slow").Run();

        run.ExitCode.Should().Be(2, run.ToString());
        run.StandardError.Text.Should().Contain("does not report the traits");
    });

    [Fact]
    public void AnOverrideByATrait_IsToldThatItChoosesNone() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), """
            { "profiles": { "default": { "overrides": [ { "filter": "trait:Speed=slow", "timeout": "1h" } ] } } }
            """);
        PTestProgram.Command(folder.Path, "list", PTestProgram.HostileBy("VSTest")).Run().EnsureSuccess()
            .StandardError.Text.Should().Contain("vstest does not report the traits of the tests of ");
    });

    [Fact]
    public void ANameWithTheSignsOfAFilter_IsChosen() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("VSTest"), "-e", "method:Odd", "-v", "--report", "json:e.jsonl")
            .WithEnvironment("HOSTILE_CRASH", "1").Run();

        PTestProgram.Verdicts(run, Prefix).Should().Equal(@"OrdinaryTests.Odd & | = ! ~ \ name PASS");
        run.ExitCode.Should().Be(0, run.ToString());
    });

    /// <summary>The limit includes the time in which vstest and its processes begin.</summary>
    [Fact]
    public void ADumpOfAHang_IsThatOfTheProcessOfTheTests() => Guard.Run(() => LongerLimits.Until(
        TimeSpan.FromSeconds(15), TimeSpan.FromMinutes(4), limit =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("VSTest"), "-e", "class:HangTests", "--timeout",
            $"{limit.TotalSeconds}s", "--hang-dump", "triage").WithEnvironment("HOSTILE_HANG", "1").Run();

        run.ExitCode.Should().Be(1, run.ToString());
        File.Exists(folder.File("hanging")).Should().BeTrue(run.ToString());
        string process = File.ReadAllText(folder.File("hanging"));
        Directory.EnumerateFiles(folder.File("TestResults")).Select(path => Path.GetFileName(path)).Should().Equal(
            $"hang-{process}.dmp");
    }));

    [Fact]
    public void AReportThatCannotBeRead_IsNoPass_AndEndsInVerdicts() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(folder, """
            for argument; do
                case $argument in
                    --ResultsDirectory:*) echo '<half' >"${argument#*:}/report.trx" ;;
                esac
            done
            """, "--report", "junit:j.xml");

        PTestProgram.Verdicts(run, Prefix).Should().HaveCount(9).And.OnlyContain(line => line.EndsWith(" EXIT"));
        run.StandardOutput.Text.Should().Contain("its report cannot be read");
        run.ExitCode.Should().Be(1);
        File.Exists(folder.File("j.xml")).Should().BeTrue();
    });

    /// <summary>Only the words of vstest tell it.</summary>
    [Theory]
    [InlineData("en")]
    [InlineData("de")]
    public void ACrashOfVSTestsProcess_IsNoPass(string language) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(folder.Path, PTestProgram.HostileBy("VSTest"), "-v")
            .WithEnvironment("HOSTILE_CRASH", "1").WithEnvironment("DOTNET_CLI_UI_LANGUAGE", language).Run();

        PTestProgram.Verdicts(run, Prefix).Should().Contain("CrashTests.CrashesIfAsked EXIT");
        run.ExitCode.Should().Be(1);
    });

    /// <summary>Runs the suite with a script that goes on where .NET's program has ended.</summary>
    private static ProcessResult Run(TemporaryFolder folder, string script, params string[] options)
    {
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? Environment.ProcessPath!;
        string path = folder.File("dotnet");
        File.WriteAllText(path, $"#!/bin/sh\n'{dotnet}' \"$@\"\n{script}\n");
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        return PTestProgram.Command(folder.Path, [PTestProgram.HostileBy("VSTest"), "-v", .. options])
            .WithEnvironment("DOTNET_HOST_PATH", path)
            .WithEnvironment("DOTNET_ROOT", Path.GetDirectoryName(dotnet)).Run();
    }
}
