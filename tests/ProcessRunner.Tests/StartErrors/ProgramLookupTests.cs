using System;
using System.IO;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

[Collection(Alone.Name)]
public sealed class ProgramLookupTests
{
    private const string Script = "#!/bin/sh\npwd\n";

    [Fact]
    public void Lookup_OnPath_PassesOverDirectoriesAndFilesWithoutExecuteBit() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        Directory.CreateDirectory(Path.Combine(directory.Folder("1"), "tool"));
        File.WriteAllText(Path.Combine(directory.Folder("2"), "tool"), Script);
        directory.Folder("3");
        directory.Program("3/tool", "#!/bin/sh\necho third\n");
        directory.Folder("4");
        directory.Program("4/tool", "#!/bin/sh\necho fourth\n");
        string path = $"{directory.At("missing")}:{directory.At("1")}:{directory.At("2")}:{directory.At("3")}:{directory.At("4")}";
        WithPath($"{path}:{Environment.GetEnvironmentVariable("PATH")}", () =>
            new ProcessCommand("tool").Run().StandardOutput.Text.Should().Be("third\n"));
    });

    [Fact]
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

    [Fact]
    public void Lookup_OfDirectoryAlone_IsNotFound() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        directory.Folder("tool");
        WithPath(directory, () =>
        {
            ProcessCommand command = new("tool");
            StartFailure.Of(command).ShouldBe(command, ProcessStartStep.NotFound, Errno.NoSuchFile);
        });
    });

    [Fact]
    public void Lookup_WithoutPath_FindsTheSystemsPrograms() => Guard.Run(() =>
        WithPath(null, () => new ProcessCommand("true").Run().ExitCode.Should().Be(0)));

    [Fact]
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
                (new ProcessCommand(name) { WorkingDirectory = "/usr" }).Run().StandardOutput.Text.Should().Be("/usr\n"));
        }
        finally
        {
            File.Delete(here);
        }
    });

    [Fact]
    public void Lookup_IsByTheCallersPathAndNotTheChilds() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell("echo found");
        ProcessCommand named = new ProcessCommand("sh", command.Arguments)
        {
            Environment = new System.Collections.Generic.Dictionary<string, string?> { ["PATH"] = "/no/such/directory" },
        };
        named.Run().StandardOutput.Text.Should().Be("found\n");
    });

    [Fact]
    public void RelativeProgram_WithWorkingDirectory_IsFoundFromTheCallersDirectory() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new(Environment.CurrentDirectory);
        directory.Program("tool", Script);
        string relative = Path.GetRelativePath(Environment.CurrentDirectory, directory.At("tool"));
        ProcessCommand command = new(relative) { WorkingDirectory = "/usr" };
        command.Run().StandardOutput.Text.Should().Be("/usr\n");
    });

    [Fact]
    public void RelativeProgram_ThatIsOnlyInTheWorkingDirectory_IsNotFound() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        directory.Program("tool", Script);
        ProcessCommand command = new("./tool") { WorkingDirectory = directory };
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.NotFound, Errno.NoSuchFile);
    });

    [Fact]
    public void RelativeWorkingDirectory_IsMeantFromTheCallersDirectory() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new(Environment.CurrentDirectory);
        string relative = Path.GetRelativePath(Environment.CurrentDirectory, directory);
        ProcessCommand command = new("pwd") { WorkingDirectory = relative };
        command.Run().StandardOutput.Text.Should().Be(directory.Path + "\n");
    });

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
