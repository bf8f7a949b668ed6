using System;
using System.Diagnostics;
using FluentAssertions;
using ProcessRunner.Backends.Windows.Start;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows.Start;

/// <summary>Verifies what becomes of the members of a job once it is closed, as by the end of this process.</summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Windows, "handles, paths and semaphores of Windows")]
[NativeBackend("the subject is the Windows backend")]
public sealed class JobObjectTests
{
    [Fact]
    public void Members_OfAJobThatKillsOnClose_AreKilled() => WithMember((job, member, _) =>
    {
        job.TrySetKillOnClose(true).Should().BeTrue();
        job.Dispose();
        member.WaitForExit();
    });

    [Fact]
    public void Members_OfAJobThatNoLongerKillsOnClose_LiveOn() => WithMember((job, member, directory) =>
    {
        job.TrySetKillOnClose(true).Should().BeTrue();
        job.TrySetKillOnClose(false).Should().BeTrue();
        job.Dispose();
        directory.File("go");
        directory.WaitFor("done");
        member.WaitForExit();
        member.ExitCode.Should().Be(7);
    });

    private static void WithMember(Action<JobObject, Process, TemporaryDirectory> body) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using JobObject job = JobObject.Create(killsOnClose: false, allowsBreakaway: false, default);
        using Process member = Process.Start(
            TestPrograms.QuickChildPath,
            ["wait-file", directory.At("go"), "touch", directory.At("done"), "return", "7"]);
        try
        {
            Kernel32.AssignProcessToJobObject(job.Handle, member.Handle).Should().BeTrue();
            body(job, member, directory);
        }
        finally
        {
            member.Kill();
            member.WaitForExit();
        }
    });
}
