using System;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies the stop of programs with windows.</summary>
[OnlyOn(Systems.Windows, "windows with messages")]
[NativeBackend("the portable backend has no such settings")]
public sealed partial class CloseWindowsTests
{
    private static readonly TimeSpan s_long = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan s_short = TimeSpan.FromMilliseconds(300);

    // The first program that asks for the desktop starts it under Wine: this one, so that it is no child's descendant.
    public CloseWindowsTests() => GetDesktopWindow();

    [Fact]
    public void Stop_OfAChildWithAWindow_LetsItEndByItself() => Guard.Run(() =>
    {
        ProcessResult result = Stopped(s_long, "open-window", "echo", "ready", "await-close", "return", "42");
        result.ExitCode.Should().Be(42);
        result.StoppedBy.Should().Be(StopCause.Request);
    });

    [Fact]
    public void Stop_ReachesTheWindowOfADescendant() => Guard.Run(() =>
    {
        ProcessResult result = Stopped(
            s_long, "spawn", "open-window", "echo", "ready", "await-close", "end", "wait", "return", "43");
        result.ExitCode.Should().Be(43);
        result.StoppedBy.Should().Be(StopCause.Request);
    });

    [Fact]
    public void WindowOfAnother_StaysOpen() => Guard.Run(() =>
    {
        using ChildProcess other = Ready("open-window", "echo", "ready", "await-close", "return", "44");
        Stopped(s_long, "open-window", "echo", "ready", "await-close").ExitCode.Should().Be(0);
        other.TryWait(s_short, out _).Should().BeFalse();
        other.Stop(s_long).ExitCode.Should().Be(44);
    });

    [Theory]
    [InlineData("open-window")]
    [InlineData("echo", "no window")]
    public void Child_ThatGoesOn_IsKilledAfterTheGrace(params string[] words) => Guard.Run(() =>
    {
        ProcessResult result = Stopped(s_short, ["echo", "first", .. words, "echo", "ready", "sleep", "100000"]);
        result.ExitCode.Should().Be(-1);
        result.StoppedBy.Should().Be(StopCause.Request);
    });

    [Fact]
    public void Signal_ComesAfterTheWindows_IfTheCommandSaysSo() => Guard.Run(() =>
    {
        ProcessCommand command = Command("open-window", "echo", "ready", "sleep", "100000") with
        {
            StopGrace = s_short,
            FurtherStops = [new StopStep((PosixSignal)9, s_long)],
        };
        using ChildProcess child = Ready(command);
        child.Stop().ExitCode.Should().Be(-1);
    });

    private static ProcessResult Stopped(TimeSpan grace, params string[] words)
    {
        using ChildProcess child = Ready(words);
        return child.Stop(grace);
    }

    private static ChildProcess Ready(params string[] words) => Ready(Command(words));

    private static ChildProcess Ready(ProcessCommand command)
    {
        ChildProcess child = command.Start();
        child.WaitForLine(line => line.Content == "ready", TimeSpan.FromMinutes(1));
        child.IgnoreLines();
        return child;
    }

    private static ProcessCommand Command(params string[] words) => TestPrograms.Child(words) with
    {
        StandardOutput = OutputTarget.Live(),
        CloseWindowsOnStop = true,
    };

    [LibraryImport("user32.dll")]
    private static partial nint GetDesktopWindow();
}
