using System.IO;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies the runner where the library has no native backend, as on macOS.</summary>
[OnlyOn(Systems.Linux, "the hostile suite")]
public sealed class PortableTests
{
    [Fact]
    public void TestsRun_AndADeathByASignalIsACrash() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string program = PTestProgram.Built("PTest", "dotnet-ptest");
        string settings = folder.File("settings.json");
        File.WriteAllText(settings, File.ReadAllText($"{program}.runtimeconfig.json").Replace(
            "\"configProperties\": {", "\"configProperties\": { \"ProcessRunner.UsePortableBackend\": true,"));
        ProcessResult run = new ProcessCommand(
            "dotnet", "exec", "--runtimeconfig", settings, $"{program}.dll",
            PTestProgram.Hostile, "-e", "class:StackOverflowTests or class:ExitTests", "-v")
        {
            WorkingDirectory = folder.Path,
        }
            .WithEnvironment("XDG_CACHE_HOME", folder.Path).WithEnvironment("HOSTILE_STATE", folder.Path).Run();

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.").Should().Equal(
            [
                "ExitTests.Before_Passes PASS", "ExitTests.Behind_Passes PASS", "ExitTests.Exit EXIT",
                "StackOverflowTests.Before_Passes PASS", "StackOverflowTests.Behind_Passes PASS",
                "StackOverflowTests.Overflow CRASH",
            ],
            run.ToString());
        run.StandardOutput.Text.Should().Contain("SIGABRT ended the process");
    });
}
