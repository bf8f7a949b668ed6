using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Backends.Windows;
using ProcessRunner.Backends.Windows.Start;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows;

/// <summary>
/// Verifies what becomes of the ids that a job has listed if their processes end, and strangers get the ids.
/// </summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Windows, "handles, paths and semaphores of Windows")]
[NativeBackend("the subject is the Windows backend")]
public sealed class JobMembersTests
{
    [Fact]
    public void Member_ThatLives_IsTheOnlyOne() => WithMember((job, member) =>
    {
        List<int> ids = [member.Id, Environment.ProcessId, int.MaxValue];
        JobSurvey.Describe(job, ids).Select(one => (one.ProcessId, one.CommandLine))
            .Should().Equal((member.Id, TestPrograms.QuickChildPath));
        using JobMembers members = new(job, ids);
        members.Ids.ToArray().Should().Equal(member.Id);
    });

    // It is still open here, so that its id belongs to no other.
    [Fact]
    public void Member_ThatHasEnded_IsNone() => WithMember((job, member) =>
    {
        member.Kill();
        member.WaitForExit();
        JobSurvey.Describe(job, [member.Id]).Should().BeEmpty();
        using JobMembers members = new(job, [member.Id]);
        members.Ids.ToArray().Should().BeEmpty();
    });

    private static void WithMember(Action<JobObject, Process> body) => Guard.Run(() =>
    {
        using JobObject job = JobObject.Create(killsOnClose: true, allowsBreakaway: false, default);
        using Process member = Process.Start(TestPrograms.QuickChildPath, ["sleep", "1000000"]);
        try
        {
            Kernel32.AssignProcessToJobObject(job.Handle, member.Handle).Should().BeTrue();
            body(job, member);
        }
        finally
        {
            member.Kill();
        }
    });
}
