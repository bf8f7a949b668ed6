using System;
using System.IO;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

[Collection(Alone.Name)]
public sealed class ProgramLookupTests
{
    private const string Script = "#!/bin/sh\npwd\n";

    // The kernel refuses the script only when it executes it.
    private const string ScriptWithInterpreter =
        "printf text >interpreter && printf \"#!$PWD/interpreter\\n\" >tool && chmod 755 tool";

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Lookup_OnPath_PassesOverDirectoriesAndFilesWithoutExecuteBit() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        Directory.CreateDirectory(Path.Combine(directory.Folder("1"), "tool"));
        File.WriteAllText(Path.Combine(directory.Folder("2"), "tool"), Script);
        directory.Folder("3");
        directory.Program("3/tool", "#!/bin/sh\necho third\n");
        directory.Folder("4");
        directory.Program("4/tool", "#!/bin/sh\necho fourth\n");
        string path = string.Join(
            ':', directory.At("missing"), directory.At("1"), directory.At("2"), directory.At("3"), directory.At("4"));
        WithPath($"{path}:{Environment.GetEnvironmentVariable("PATH")}", () =>
            new ProcessCommand("tool").Run().StandardOutput.Text.Should().Be("third\n"));
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Lookup_OfFileWithoutExecuteBitAlone_IsNotExecutable() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        directory.File("tool", Script);
        WithPath(directory, () =>
        {
            ProcessCommand command = new("tool");
            StartFailure.Of(command).ShouldBe(command, ProcessStartStep.NotExecutable, Errno.AccessDenied);
        });
    });

    [Theory]
    [InlineData("mkdir tool")]
    [InlineData("mkfifo tool && chmod 755 tool")]
    [InlineData(ScriptWithInterpreter)]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Lookup_OfWhatCannotBeExecutedAlone_IsNotExecutable(string make) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        Make(directory.Folder("1"), make);
        WithPath($"{directory.At("1")}:{directory.Folder("2")}", () =>
        {
            ProcessCommand command = new("tool");
            StartFailure.Of(command).ShouldBe(command, ProcessStartStep.NotExecutable, Errno.AccessDenied);
        });
    });

    [Theory]
    [InlineData("mkdir tool")]
    [InlineData("mkfifo tool && chmod 755 tool")]
    [InlineData("printf '#!/bin/sh\\n' >tool")]
    [InlineData(ScriptWithInterpreter)]
    [InlineData("printf '#!/no/such/interpreter\\n' >tool && chmod 755 tool")]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Lookup_OnPath_GoesOnBehindWhatCannotBeExecuted(string make) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        Make(directory.Folder("1"), make);
        directory.Folder("2");
        directory.Program("2/tool", "#!/bin/sh\necho \"$1\"; cat; pwd\n");
        string input = directory.File("input", "input\n");
        WithPath($"{directory.At("1")}:{directory.At("2")}:{Environment.GetEnvironmentVariable("PATH")}", () =>
        {
            ProcessCommand command = new("tool", "argument");
            command.Run().StandardOutput.Text.Should().StartWith("argument\n");
            ProcessResult result =
                (command with { WorkingDirectory = "/usr", StandardInput = InputSource.FromFile(input) }).Run();
            result.StandardOutput.Text.Should().Be("argument\ninput\n/usr\n");
            result.StartAttempts.Should().Be(1);
        });
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Lookup_OfWhatCannotBeExecutedForSeveralReasons_IsNotExecutable() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        Make(directory.Folder("1"), ScriptWithInterpreter);
        Make(directory.Folder("2"), "printf '#!/no/such/interpreter\n' >tool && chmod 755 tool");
        WithPath($"{directory.At("1")}:{directory.At("2")}", () =>
        {
            ProcessCommand command = new("tool") { WorkingDirectory = directory };
            StartFailure.Of(command).ShouldBe(command, ProcessStartStep.NotExecutable, Errno.AccessDenied);
        });
        WithPath(directory.At("2"), () =>
        {
            ProcessCommand command = new("tool") { WorkingDirectory = directory };
            StartFailure.Of(command).ShouldBe(command, ProcessStartStep.BadFormat, Errno.NoSuchFile);
        });
    });

    // The file is a program by its mode bits, and a shell would take it for a script: the search has found it.
    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Lookup_OfTextWithoutInterpreter_EndsThere() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        directory.Folder("1");
        directory.Program("1/tool", "echo first\n");
        directory.Folder("2");
        directory.Program("2/tool", Script);
        WithPath($"{directory.At("1")}:{directory.At("2")}", () =>
        {
            ProcessCommand command = new("tool");
            StartFailure.Of(command).ShouldBe(command, ProcessStartStep.BadFormat, Errno.ExecFormat);
        });
    });

    // The error is in the directory or the file, whichever program is tried.
    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Lookup_WithABadDirectoryOrFile_FailsByThat() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        Make(directory.Folder("1"), ScriptWithInterpreter);
        directory.Folder("2");
        directory.Program("2/tool", Script);
        WithPath($"{directory.At("1")}:{directory.At("2")}", () =>
        {
            ProcessCommand elsewhere = new("tool") { WorkingDirectory = "/no/such/directory" };
            StartFailure.Of(elsewhere).ShouldBe(elsewhere, ProcessStartStep.BadDirectory, Errno.NoSuchFile);
            ProcessCommand reader = new("tool") { StandardInput = InputSource.FromFile("/no/such/file") };
            StartFailure.Of(reader).ShouldBe(reader, ProcessStartStep.BadStreamFile, Errno.NoSuchFile);
        });
    });

    [Fact]
    public void Lookup_WithoutPath_FindsTheSystemsPrograms() => Guard.Run(() =>
        WithPath(null, () => TestPrograms.Quick().Run().ExitCode.Should().Be(0)));

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Lookup_WithEmptyPathEntry_LooksInTheCallersDirectory() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new(Environment.CurrentDirectory);
        string name = $"tool-{Guid.NewGuid():N}";
        string program = directory.Program(name, Script);
        string here = Path.Combine(Environment.CurrentDirectory, name);
        try
        {
            File.Move(program, here);
            WithPath($"{Environment.GetEnvironmentVariable("PATH")}:", () =>
                (new ProcessCommand(name) { WorkingDirectory = "/usr" }).Run().StandardOutput.Text
                    .Should().Be("/usr\n"));
        }
        finally
        {
            File.Delete(here);
        }
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Lookup_IsByTheCallersPathAndNotTheChilds() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell("echo found");
        ProcessCommand named = new ProcessCommand("sh", command.Arguments)
        {
            Environment =
                new System.Collections.Generic.Dictionary<string, string?> { ["PATH"] = "/no/such/directory" },
        };
        named.Run().StandardOutput.Text.Should().Be("found\n");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void RelativeProgram_WithWorkingDirectory_IsFoundFromTheCallersDirectory() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new(Environment.CurrentDirectory);
        directory.Program("tool", Script);
        string relative = Path.GetRelativePath(Environment.CurrentDirectory, directory.At("tool"));
        ProcessCommand command = new(relative) { WorkingDirectory = "/usr" };
        command.Run().StandardOutput.Text.Should().Be("/usr\n");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void RelativeProgram_ThatIsOnlyInTheWorkingDirectory_IsNotFound() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        directory.Program("tool", Script);
        ProcessCommand command = new("./tool") { WorkingDirectory = directory };
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.NotFound, Errno.NoSuchFile);
    });

    [Theory]
    [InlineData(null)]
    [InlineData("/usr")]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Program_BehindALinkAndTwoDots_IsTheOneThatTheKernelFinds(string? workingDirectory) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new(Environment.CurrentDirectory);
        directory.Folder("far");
        directory.Folder("far/away");
        directory.Program("far/tool", "#!/bin/sh\necho far\n");
        directory.Program("tool", "#!/bin/sh\necho near\n");
        Directory.CreateSymbolicLink(directory.At("link"), directory.At("far/away"));
        string relative = Path.GetRelativePath(Environment.CurrentDirectory, directory);
        ProcessCommand command = new($"{relative}/link/../tool") { WorkingDirectory = workingDirectory };
        command.Run().StandardOutput.Text.Should().Be("far\n");
        WithPath($"{relative}/link/..", () =>
            new ProcessCommand("tool") { WorkingDirectory = workingDirectory }.Run().StandardOutput.Text
                .Should().Be("far\n"));
    });

    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void Programs_WhereTheCallersDirectoryIsDeleted_AreFoundByAbsolutePaths() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        HostProcess.Play("deleted-directory", directory.Folder("gone"));
    });

    [Fact]
    public void RelativeWorkingDirectory_IsMeantFromTheCallersDirectory() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new(Environment.CurrentDirectory);
        string relative = Path.GetRelativePath(Environment.CurrentDirectory, directory);
        ProcessCommand command = TestPrograms.Child("cwd") with { WorkingDirectory = relative };
        command.Run().StandardOutput.Text.Should().Be(directory.Path + "\n");
    });

    private static void Make(string directory, string script) =>
        (TestPrograms.Shell(script) with { WorkingDirectory = directory }).Run().EnsureSuccess();

    private static void WithPath(string? path, Action body)
    {
        string? before = Environment.GetEnvironmentVariable("PATH");
        Environment.SetEnvironmentVariable("PATH", path);
        try
        {
            body();
        }
        finally
        {
            Environment.SetEnvironmentVariable("PATH", before);
        }
    }
}
