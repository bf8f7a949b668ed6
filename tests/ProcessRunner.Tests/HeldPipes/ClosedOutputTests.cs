using System;
using System.IO;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.HeldPipes;

[OnlyOn(Systems.Linux, "descriptors and /proc")]
public sealed class ClosedOutputTests
{
    [Theory]
    [InlineData(">&-")]
    [InlineData("2>&-")]
    [InlineData(">&- 2>&-")]
    public void ChildThatClosesItsOutputsAndLivesOn_IsWaitedFor(string redirection) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string closed = directory.Fifo("closed");
        string go = directory.Fifo("go");
        using ChildProcess child = TestPrograms.Shell(
            $"echo out; echo err >&2; exec {redirection}; echo closed >\"$1\"; read line <\"$2\"; exit 3",
            closed,
            go).Start();
        File.ReadAllText(closed);
        child.TryWait(TimeSpan.FromMilliseconds(20), out _).Should().BeFalse();
        ProcFs.IsAlive(child.ProcessId).Should().BeTrue();
        File.AppendAllText(go, "go\n");
        ProcessResult result = child.Wait();
        result.ExitCode.Should().Be(3);
        result.StandardOutput.Text.Should().Be("out\n");
        result.StandardError.Text.Should().Be("err\n");
        result.StandardOutput.IsHeldOpen.Should().BeFalse();
    });

    [Fact]
    public void ChildThatClosedItsOutputsAndLivesOn_CanBeKilled() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string closed = directory.Fifo("closed");
        using ChildProcess child = TestPrograms.Shell(
            "exec >&- 2>&-; echo closed >\"$1\"; exec sleep 1000", closed).Start();
        File.ReadAllText(closed);
        child.Kill();
        child.Wait().SignalNumber.Should().Be(9);
    });
}
