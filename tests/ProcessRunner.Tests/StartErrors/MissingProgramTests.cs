using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

public sealed class MissingProgramTests
{
    [NativeBackend(".NET does not tell why a file does not exist")]
    [Theory]
    [InlineData("no-such-program")]
    [InlineData("/no/such/program")]
    [InlineData("./no-such-program")]
    [InlineData("/bin/sh/below-a-file")]
    [InlineData("http://www.example.org")]
    [InlineData("exit")]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_OfMissingProgram_IsNotFound(string fileName) => Guard.Run(() =>
    {
        ProcessCommand command = new(fileName, "argument");
        ProcessStartException error = StartFailure.Of(command);
        error.Step.Should().Be(ProcessStartStep.NotFound);
        error.ShouldBe(
            command,
            ProcessStartStep.NotFound,
            fileName.StartsWith("/bin/sh/") ? Errno.NotADirectory : Errno.NoSuchFile);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_OfMissingProgramInAnExistingDirectory_NamesBoth() => Guard.Run(() =>
    {
        ProcessCommand command = new("no-such-program") { WorkingDirectory = "/usr" };
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.NotFound, Errno.NoSuchFile);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_OfDanglingLink_IsNotFound() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        System.IO.File.CreateSymbolicLink(directory.At("link"), directory.At("nowhere"));
        ProcessCommand command = new(directory.At("link"));
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.NotFound, Errno.NoSuchFile);
    });

    [NativeBackend(".NET does not tell why a file does not exist")]
    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_OfLinkToItself_FailsWithTheErrnoOfTheKernel() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        System.IO.File.CreateSymbolicLink(directory.At("loop"), directory.At("loop"));
        ProcessCommand command = new(directory.At("loop"));
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.Other, Errno.TooManyLinks);
    });

    [NativeBackend(".NET does not tell why a file does not exist")]
    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_OfNameThatIsTooLong_FailsWithTheErrnoOfTheKernel() => Guard.Run(() =>
    {
        ProcessCommand command = new("/" + new string('x', 300));
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.Other, Errno.NameTooLong);
    });
}
