using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "deaths by signals, and shells that leave processes behind")]
public sealed class PrecompileTests
{
    private const string Framework = "xunit.execution.dotnet.dll";

    /// <summary>A file of the cache that is no assembly breaks the run: processes load it from there.</summary>
    [Fact]
    public void PrecompiledPackages_AreMadeOnce_AndLoadedByTheProcesses() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult Run() => PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:FlakyTests or class:StackOverflow", "-v", "--precompile")
            .Run();
        string[] Cached(string name) => Directory.GetFiles(folder.Path, name, SearchOption.AllDirectories);

        ProcessResult first = Run();

        PTestProgram.Verdicts(first, "ProcessRunner.HostileTests.").Should().Equal(
            "FlakyTests.Before_Passes PASS", "FlakyTests.Behind_Passes PASS", "FlakyTests.FailsOnce FLAKY",
            "StackOverflowTests.Before_Passes PASS", "StackOverflowTests.Behind_Passes PASS",
            "StackOverflowTests.Overflow CRASH");
        first.StandardError.Text.Should().BeEmpty();
        string framework = Cached(Framework).Should().ContainSingle().Subject;
        Cached("ptest.xunit2.dll").Should().ContainSingle("it comes with ptest");
        Cached("ProcessRunner*.dll").Should().BeEmpty("projects of the user stay where they are");

        DateTime made = File.GetLastWriteTimeUtc(framework);
        Run().ExitCode.Should().Be(1);
        File.GetLastWriteTimeUtc(framework).Should().Be(made);

        File.WriteAllText(framework, "no assembly");
        Run().ExitCode.Should().Be(2);
    });

    /// <summary>It takes most of the time that the compilation of the packages leaves over.</summary>
    /// <remarks>
    /// The JIT closes its file at the end of a process beside a thread that still compiles, and can crash the process
    /// (coreclr#18060). A process without tiers has no such thread by itself, and the verdict of the test stands.
    /// </remarks>
    [Fact]
    public void TheAsynchronousMethodsOfThePackages_AreNotCompiledByTheirProcesses() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string[] Compiled(string file, params IEnumerable<string> options)
        {
            ProcessResult run = PTestProgram.Command(
                folder.Path, PTestProgram.HostileV3, "-e", "method:PassesLater", "-v")
                .WithArguments(options)
                .WithEnvironment("DOTNET_JitStdOutFile", folder.File(file))
                .WithEnvironment("DOTNET_JitDisasmSummary", "1")
                .WithEnvironment("DOTNET_TieredCompilation", "0")
                .Run();
            PTestProgram.Verdicts(run, "HostileV3.OrdinaryTests.").Should().Contain("PassesLater PASS");
            return [.. File.ReadLines(folder.File(file)).Where(line => line.Contains(
                "AsyncMethodBuilderCore:Start[Xunit", StringComparison.Ordinal))];
        }

        Compiled("plain").Should().NotBeEmpty();
        Compiled("precompiled", "--precompile").Should().BeEmpty();
    });

    [Fact]
    public void ACompilerThatCannotBeHad_IsTold_AndWhatToDo() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(
            folder.File("nuget.config"),
            """
            <configuration>
              <packageSources><clear /><add key="none" value="empty" /></packageSources>
              <fallbackPackageFolders><clear /></fallbackPackageFolders>
            </configuration>
            """);
        Directory.CreateDirectory(folder.File("empty"));
        ProcessResult run = PTestProgram.Command(folder.Path, PTestProgram.Hostile, "--precompile")
            .WithEnvironment("NUGET_PACKAGES", folder.File("packages")).Run();

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().Contain("--precompile needs the package microsoft.netcore.app.crossgen2.")
            .And.Contain("leave out --precompile");
    });
}
