using System;
using System.IO;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Ends the runner before its first test, while something that it has started does not end.</summary>
[OnlyOn(Systems.Linux, "shells, signals, and processes found in /proc")]
public sealed class PhaseEndTests
{
    private const string Blocker = "sleep 1100.25";
    private const PosixSignal Kill = (PosixSignal)9;

    [Theory]
    [InlineData("setup")]
    [InlineData("build")]
    [InlineData("list")]
    [InlineData("precompile")]
    public void ARunnerThatIsKilledInAnyPhase_LeavesNoProcess(string phase) => Guard.Run(() =>
        Ended(phase, Kill).SignalNumber.Should().Be((int)Kill));

    [Theory]
    [InlineData("list", PosixSignal.SIGINT)]
    [InlineData("precompile", PosixSignal.SIGINT)]
    [InlineData("setup", PosixSignal.SIGTERM)]
    [InlineData("list", PosixSignal.SIGTERM)]
    [InlineData("precompile", PosixSignal.SIGTERM)]
    public void ASignalBeforeTheTests_EndsTheRun_AndNoFileIsLeft(string phase, PosixSignal signal) => Guard.Run(() =>
    {
        ProcessResult run = Ended(phase, signal);

        run.ExitCode.Should().Be(130, run.ToString());
        run.StandardError.Text.Should().BeEmpty();
    });

    private static ProcessResult Ended(string phase, PosixSignal signal)
    {
        using TemporaryFolder folder = new();
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? Environment.ProcessPath!;
        string target = phase == "build" ? folder.File("a.csproj") : PTestProgram.Hostile;
        File.WriteAllText(folder.File("a.csproj"), "<Project />");
        if (phase == "setup")
        {
            File.WriteAllText(
                folder.File("ptest.json"), $$"""{ "setup": [ { "command": ["sh", "-c", "{{Blocker}}; true"] } ] }""");
        }

        // All phases but the first begin with a program of .NET. This one is stuck in the phase that is asked for.
        string stuck = phase == "precompile" ? $"[ $1 = exec ] && exec '{dotnet}' \"$@\"\n" : "";
        string script = folder.File("dotnet");
        File.WriteAllText(script, $"#!/bin/sh\n{stuck}{Blocker}; true\n");
        File.SetUnixFileMode(script, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        string temporary = Directory.CreateDirectory(folder.File("temporary")).FullName;
        ProcessCommand command = PTestProgram.Command(
            folder.Path, [target, .. (string[])(phase == "precompile" ? ["--precompile"] : [])]) with
        {
            // The library must not do what is under test.
            Descendants = DescendantPolicy.Leave,
        };
        using ChildProcess run = command
            .WithEnvironment("PATH", $"{folder.Path}:{Environment.GetEnvironmentVariable("PATH")}")
            .WithEnvironment("DOTNET_ROOT", Path.GetDirectoryName(dotnet))
            .WithEnvironment("DOTNET_HOST_PATH", script)
            .WithEnvironment("TMPDIR", temporary)
            .Start();
        string mark = Path.GetFileName(folder.Path);
        Eventually.Is(() => Processes.With(Blocker, folder).Count > 0, "the phase has begun");

        run.Signal(signal).Should().BeTrue();
        ProcessResult result = run.Wait();

        Eventually.Is(() => Processes.With(mark).Count == 0, "all processes of the run have ended");
        if (signal != Kill)
        {
            Directory.EnumerateDirectories(temporary, "ptest-*").Should().BeEmpty();
        }

        return result;
    }
}
