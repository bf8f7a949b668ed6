using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

[OnlyOn(Systems.Linux, "process groups and sessions")]
[NativeBackend(".NET starts a child in the group of this process")]
public sealed class ProcessGroupTests
{
    // The fields are the process id, the group and the session; see proc_pid_stat(5).
    private static readonly ProcessCommand s_print = new("cut", "-d", " ", "-f", "1,5,6", "/proc/self/stat");

    private static ProcessEntry Own => ProcFs.All().Single(entry => entry.Id == System.Environment.ProcessId);

    [Fact]
    public void Child_ThatAsksForAGroup_LeadsOneInTheCallersSession() => Guard.Run(() =>
    {
        ProcessResult result = (s_print with { GroupMode = ProcessGroupMode.Own }).Run();
        result.StandardOutput.Text.Should().Be($"{result.ProcessId} {result.ProcessId} {Own.SessionId}\n");
    });

    [Fact]
    public void Child_ThatAsksForASession_LeadsOne() => Guard.Run(() =>
    {
        ProcessResult result = (s_print with { GroupMode = ProcessGroupMode.Session }).Run();
        result.StandardOutput.Text.Should().Be($"{result.ProcessId} {result.ProcessId} {result.ProcessId}\n");
    });

    [Fact]
    public void Child_ThatInheritsTheGroup_IsInTheCallers() => Guard.Run(() =>
    {
        ProcessResult result = (s_print with { GroupMode = ProcessGroupMode.Inherit }).Run();
        result.StandardOutput.Text.Should().Be($"{result.ProcessId} {Own.GroupId} {Own.SessionId}\n");
    });

    [Fact]
    public void Kill_OfChildInTheCallersGroup_SparesTheCaller() => Guard.Run(() =>
    {
        using ChildProcess child =
            (new ProcessCommand("sleep", "1000") with { GroupMode = ProcessGroupMode.Inherit }).Start();
        child.Kill();
        child.Wait().SignalNumber.Should().Be(9);
    });
}
