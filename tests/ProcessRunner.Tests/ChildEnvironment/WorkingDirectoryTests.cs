using System;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.ChildEnvironment;

public sealed class WorkingDirectoryTests
{
    [Fact]
    public void WorkingDirectory_NotGiven_IsTheCallers() => Guard.Run(() =>
        TestPrograms.Child("cwd").Run().StandardOutput.Text
            .Should().Be(Environment.CurrentDirectory + "\n"));

    [Theory]
    [InlineData("plain")]
    [InlineData("with space")]
    [InlineData("ünï 😀")]
    [InlineData("-dash")]
    public void WorkingDirectory_Given_IsWhereTheChildStarts(string name) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = TestPrograms.Child("cwd") with { WorkingDirectory = directory.Folder(name) };
        command.Run().StandardOutput.Text.Should().Be(directory.At(name) + "\n");
    });

    [Fact]
    public void WorkingDirectory_OfAChild_LeavesTheCallersAlone() => Guard.Run(() =>
    {
        string before = Environment.CurrentDirectory;
        (TestPrograms.Quick() with { WorkingDirectory = "/" }).Run();
        Environment.CurrentDirectory.Should().Be(before);
    });
}
