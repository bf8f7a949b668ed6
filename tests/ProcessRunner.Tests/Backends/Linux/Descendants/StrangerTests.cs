using System.Collections.Generic;
using System.IO;
using FluentAssertions;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Interop;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Descendants;

/// <summary>
/// Verifies that the library examines a process before it signals it, because a process id that was read a moment ago
/// may belong to a stranger by now. In these tests it belongs to a stranger from the beginning.
/// </summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[NativeBackend("the Linux backend itself")]
public sealed class StrangerTests
{
    private const string Prefix = "0123456789abcdef-";

    [Theory]
    [InlineData(null, false)]
    [InlineData("", false)]
    [InlineData("0123456789abcdef-00000007", true)]
    [InlineData("fedcba9876543210-00000001:0123456789abcdef-00000007:fedcba9876543210-00000002", true)]
    [InlineData("0123456789abcdef-00000008", false)]
    [InlineData("fedcba9876543210-00000007", false)]
    [InlineData("fedcba9876543210-0123456789abcdef-00000007", false)]
    public void Descendant_IsSignaledByItsMarkAlone(string? chain, bool isOurs) => Guard.Run(() =>
    {
        ProcessCommand command = new("sleep", "1000")
        {
            Descendants = DescendantPolicy.Leave,
            Environment = new Dictionary<string, string?> { [ChildMark.VariableName] = chain },
        };
        using ChildProcess process = StartWhole(command);
        new ProcessTable().SignalIfMarked(process.ProcessId, new ChildMark(Prefix, 7), LibC.SIGKILL)
            .Should().Be(isOurs);
        process.Stop().SignalNumber.Should().Be(isOurs ? 9 : 15);
    });

    // An unfinished start identifies its child as the youngest child of its thread.
    [Fact]
    public void ChildThatRunsItsProgram_IsNotTakenForOneInItsStart() => Guard.Run(() =>
    {
        using ChildProcess process = StartWhole(new ProcessCommand("sleep", "1000"));
        HalfMadeChild.Signal(LibC.GetThreadId(), LibC.SIGKILL).Should().BeFalse();
        process.Stop().SignalNumber.Should().Be(15);
    });

    [Fact]
    public void Child_IsTaken_OnceItHasBeenReaped() => Guard.Run(() =>
    {
        using ChildProcess process = StartWhole(new ProcessCommand("sleep", "1000"));
        int pidfd = LibC.PidFdOpen(process.ProcessId);
        PidFd.IsTaken(pidfd).Should().BeFalse();
        process.Stop();
        PidFd.IsTaken(pidfd).Should().BeTrue();
        _ = LibC.Close(pidfd);
    });

    // A start returns in the middle of the exec, before the kernel reports the new program.
    private static ChildProcess StartWhole(ProcessCommand command)
    {
        ChildProcess process = command.Start();
        Eventually.Is(() => File.ReadAllBytes($"/proc/{process.ProcessId}/environ").Length > 0, "the program is there");
        return process;
    }
}
