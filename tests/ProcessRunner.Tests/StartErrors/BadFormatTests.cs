using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

public sealed class BadFormatTests
{
    [Theory]
    [InlineData("exit 0\n")]
    [InlineData("")]
    [InlineData("\u007fELF but nothing behind it")]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_OfExecutableTextWithoutInterpreter_IsBadFormat(string content) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = new(directory.Program("program", content));
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.BadFormat, Errno.ExecFormat);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_OfScriptWhoseInterpreterIsMissing_IsBadFormatAndSaysSo() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = new(directory.Program("script", "#!/no/such/interpreter\n"));
        ProcessStartException error = StartFailure.Of(command);
        error.ShouldBe(command, ProcessStartStep.BadFormat, Errno.NoSuchFile);
        error.Message.Should().Contain("interpreter");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Start_OfScriptWithInterpreter_Works() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = new(directory.Program("script", "#!/bin/sh\necho \"$1\"\n"), "it ran");
        command.Run().StandardOutput.Text.Should().Be("it ran\n");
    });
}
