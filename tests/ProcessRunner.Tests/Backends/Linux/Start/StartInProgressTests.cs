using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using FluentAssertions;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Interop;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Start;

/// <summary>Tests which process a signal reaches while a start is under way.</summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[SupportedOSPlatform("linux")]
[NativeBackend("the Linux backend itself")]
public sealed unsafe class StartInProgressTests
{
    // The kernel makes the pidfd before it finds the limit of processes reached, and then takes it back: its number
    // stays in the frame, and the next child of another thread gets it.
    [Fact]
    public void Signal_WhileACloneHasLeftTheNumberOfAnothersPidFd_ReachesNobody() => Guard.Run(() =>
    {
        using ChildProcess another = new ProcessCommand("sleep", "1000").Start();
        int number = LibC.PidFdOpen(another.ProcessId);
        number.Should().BeGreaterThan(0);
        CloneCode.Frame frame = new() { PidFd = number };
        using EpollReactor reactor = new(index: 0);
        StartInProgress start = NewStart(reactor);
        start.OnCloning(&frame);
        start.Signal(LibC.SIGKILL).Should().BeFalse();
        start.FindProcessId(new ProcessTable()).Should().BeNull();
        another.Signal(PosixSignal.SIGTERM).Should().BeTrue();
        another.Wait().SignalNumber.Should().Be(15);
        LibC.Close(number).Should().Be(0);
    });

    [Fact]
    public void Signal_ToAChildThatHasBegun_ReachesIt() => Guard.Run(() =>
    {
        using ChildProcess begun = new ProcessCommand("sleep", "1000").Start();
        int number = LibC.PidFdOpen(begun.ProcessId);
        CloneCode.Frame frame = new() { PidFd = number, HasBegun = 1 };
        using EpollReactor reactor = new(index: 0);
        StartInProgress start = NewStart(reactor);
        start.OnCloning(&frame);
        start.FindProcessId(new ProcessTable()).Should().Be(begun.ProcessId);
        start.Signal(LibC.SIGKILL).Should().BeTrue();
        begun.Wait().SignalNumber.Should().Be(9);
        LibC.Close(number).Should().Be(0);
    });

    private static StartInProgress NewStart(EpollReactor reactor)
    {
        LaunchOrder order = new(new ProcessCommand("true"), null, default);
        return new StartInProgress(
            new LinuxChild(backend: null!, reactor, order) { Number = 1, IsMarked = false }, order);
    }
}
