using System.IO;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

public sealed class NotExecutableTests
{
    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_OfDirectory_IsNotExecutable() => Guard.Run(() =>
    {
        ProcessCommand command = new("/usr/bin");
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.NotExecutable, Errno.AccessDenied);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_OfFileWithoutExecuteBit_IsNotExecutable() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = new(directory.File("script", "#!/bin/sh\n")) { WorkingDirectory = directory };
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.NotExecutable, Errno.AccessDenied);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_OfProgramThatIsOpenForWriting_IsBusy() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = new(directory.Program("script", "#!/bin/sh\n"));
        using (FileStream writer = File.OpenWrite(command.FileName))
        {
            StartFailure.Of(command).ShouldBe(command, ProcessStartStep.Busy, Errno.TextBusy);
        }
    });
}
