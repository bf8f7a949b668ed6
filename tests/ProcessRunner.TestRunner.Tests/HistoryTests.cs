using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies the files that one run leaves to the next.</summary>
[OnlyOn(Systems.Linux, "a shell script in the place of .NET's program")]
public sealed class HistoryTests
{
    private static readonly string[] s_passing = ["-e", "class:OddRowTests"];

    [Fact]
    public void ARunThatEndsDuringAnother_IsInTheHistory() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? Environment.ProcessPath!;
        string script = folder.File("dotnet");
        ProcessCommand inner = PTestProgram.Command(folder.Path, [PTestProgram.Hostile, .. s_passing]);

        // Its second call runs the tests of the outer run, which knows the history by then.
        File.WriteAllText(script, $$"""
            #!/bin/sh
            cd '{{folder.Path}}'
            if [ -e listed ] && [ ! -e nested ]; then
                touch nested
                env -u PTEST_JOB -u DOTNET_STARTUP_HOOKS DOTNET_HOST_PATH='{{dotnet}}' \
                    {{ShellWords(inner)}} >inner.txt 2>&1
            fi
            touch listed
            cd '{{Path.GetDirectoryName(PTestProgram.Hostile)}}'
            exec '{{dotnet}}' "$@"
            """);
        File.SetUnixFileMode(script, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        PTestProgram.Command(folder.Path, PTestProgram.Hostile, "-e", "method:Row_Passes")
            .WithEnvironment("DOTNET_HOST_PATH", script)
            .WithEnvironment("DOTNET_ROOT", Path.GetDirectoryName(dotnet)).Run().EnsureSuccess();

        File.ReadAllText(folder.File("inner.txt")).Should().Contain(" passed");
        PTestProgram.Command(folder.Path, [PTestProgram.Hostile, "--rerun-failed", .. s_passing])
            .Run().StandardError.Text.Should().Contain("there are no tests to run");
    });

    /// <summary>Parts by different times would leave out tests between them.</summary>
    [Fact]
    public void PartsByTime_NameTheTimes_WhichDifferIfTheHistoryDoes() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        using TemporaryFolder other = new();
        string Times(TemporaryFolder machine, int part) => PTestProgram.Command(
            machine.Path, "list", PTestProgram.Hostile, "--shard", $"time:{part}/2").Run().EnsureSuccess()
            .StandardError.Lines().Should().ContainSingle().Which.Replace($":{part}/", ":");
        PTestProgram.Command(folder.Path, PTestProgram.Hostile, "-e", "class:FlakyTests").Run();

        Times(folder, 1).Should().StartWith("ptest: --shard time:2 divides by the times ").And.Be(Times(folder, 2));
        Times(folder, 1).Should().NotBe(Times(other, 1));
    });

    /// <summary>Without the other test it passes, however often it runs.</summary>
    [Fact]
    public void AnOrder_HasFailed_UntilARunHasTheOthersToo() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string[] Run(string? way, params string[] options) =>
        [
            .. PTestProgram.Verdicts(
                PTestProgram.Command(
                    folder.Path,
                    [PTestProgram.Hostile, "-e", "class:OrderTests", "--isolation", "class", "-v", .. options])
                    .WithEnvironment("HOSTILE_ORDER", way).Run(),
                "ProcessRunner.HostileTests.OrderTests."),
        ];

        Run("fail").Should().Equal("First PASS", "Second ORDER");
        Run("fail", "--rerun-failed").Should().Equal("Second PASS");
        Run("fail", "--rerun-failed").Should().Equal("Second PASS");
        Run(null).Should().Equal("First PASS", "Second PASS");
        Run(null, "--rerun-failed").Should().BeEmpty();
    });

    [Theory]
    [InlineData("{\"tests\":null}")]
    [InlineData("{\"tests\":{\"a\":null}}")]
    [InlineData("{\"tests\":{\"a\":{\"milliseconds\":1e300}}}")]
    [InlineData("{\"startMilliseconds\":-1e300}")]
    [InlineData("null")]
    [InlineData("[")]
    public void AHistoryThatIsNone_BeginsAnew(string text) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessCommand command = PTestProgram.Command(folder.Path, [PTestProgram.Hostile, .. s_passing]);
        command.Run().EnsureSuccess().StandardError.Text.Should().BeEmpty();
        string history = Directory.EnumerateFiles(folder.File("ptest"), "*.json", SearchOption.AllDirectories).Single();
        File.WriteAllText(history, text);

        command.Run().EnsureSuccess().StandardError.Lines().Should().ContainSingle().Which.Should().StartWith(
            "ptest: the history of ProcessRunner.HostileTests begins anew: ");
        command.Run().EnsureSuccess().StandardError.Text.Should().BeEmpty();
        Directory.EnumerateFiles(Path.GetDirectoryName(history)!).Should().HaveCount(2, "the other is the lock");
    });

    /// <summary>Rows with new data in each run, and tests with a new name, would fill the file otherwise.</summary>
    [Fact]
    public void ATestThatIsListedNoMore_IsForgotten_AndOneThatIsNotChosenIsNot() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        PTestProgram.Command(folder.Path, [PTestProgram.Hostile, .. s_passing]).Run().EnsureSuccess();
        string history = Directory.EnumerateFiles(folder.File("ptest"), "*.json", SearchOption.AllDirectories).Single();
        File.WriteAllText(history, File.ReadAllText(history)
            .Replace("\"missed\":0", "\"missed\":48")
            .Replace("\"tests\":{", "\"tests\":{\"gone\":{\"name\":\"gone\",\"milliseconds\":1,\"missed\":48},"));
        string AfterAnother()
        {
            PTestProgram.Command(folder.Path, PTestProgram.Hostile, "-e", "method:Row_Passes").Run().EnsureSuccess();
            return File.ReadAllText(history);
        }

        AfterAnother().Should().Contain("\"gone\"").And.Contain("OddRowTests");
        AfterAnother().Should().NotContain("\"gone\"").And.Contain("OddRowTests");
    });

    private static string ShellWords(ProcessCommand command) =>
        string.Join(' ', command.Arguments.Prepend(command.FileName).Select(word => $"'{word}'"));
}
