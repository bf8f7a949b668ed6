using System.IO;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

public sealed class BadDirectoryTests
{
    [Theory]
    [InlineData("/bin/true")]
    [InlineData("true")]
    [InlineData("/no/such/program")]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_InMissingDirectory_IsBadDirectory(string fileName) => Guard.Run(() =>
    {
        ProcessCommand command = new(fileName) { WorkingDirectory = "/no/such/directory" };
        ProcessStartException error = StartFailure.Of(command);
        error.ShouldBe(command, ProcessStartStep.BadDirectory, Errno.NoSuchFile);
        error.Message.Should().Contain("does not exist");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_InFile_IsBadDirectory() => Guard.Run(() =>
    {
        ProcessCommand command = new("/bin/true") { WorkingDirectory = "/bin/sh" };
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.BadDirectory, Errno.NotADirectory);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void Start_InDirectoryThatMayNotBeEntered_IsBadDirectory() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        File.SetUnixFileMode(directory, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
            | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute);
        string closed = directory.Folder("closed");
        UnixFileMode before = File.GetUnixFileMode(closed);
        File.SetUnixFileMode(closed, UnixFileMode.None);
        try
        {
            HostProcess.Play("unenterable-directory", closed);
        }
        finally
        {
            // An ordinary user could not delete it otherwise.
            File.SetUnixFileMode(closed, before);
        }
    });

    [NativeBackend("posix_spawn alone has this limit")]
    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void Start_InADirectoryThatTheCLibraryCannotChangeTo_SaysSo() =>
        Guard.Run(() => HostProcess.PlayWith("USE_POSIX_SPAWN=1 exec \"$@\"", "without-change-of-directory"));
}
