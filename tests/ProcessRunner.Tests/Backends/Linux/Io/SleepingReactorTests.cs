using System.IO;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Io;

/// <summary>Verifies that a condition without a remedy does not wake a reactor again and again.</summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[Collection(Alone.Name)]
[NativeBackend("the Linux backend itself")]
public sealed class SleepingReactorTests
{
    // The end of a stream is reported whether or not it is watched. The receiver is full before the child has written
    // all, and the pipe takes the rest.
    [Fact]
    public void StreamThatHasEnded_BeforeASlowReceiver_LetsTheReactorSleep() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ManualResetEventSlim mayRead = new();
        string go = directory.Fifo("go");
        ProcessCommand command = TestPrograms.Shell(
            "read go <\"$1\"; head -c 500000 /dev/zero; exec >&-; echo >\"$2\"; exec sleep 1000",
            go,
            directory.At("closed")) with
        {
            StandardOutput = OutputTarget.ToLines(_ => mayRead.Wait(), new LineOptions { MaxLength = 1 }),
        };
        using ChildProcess child = command.Start();
        ChildPipe.Resize(child.ProcessId, descriptor: 1, 1024 * 1024);
        File.WriteAllText(go, "go\n");
        Eventually.Is(() => File.Exists(directory.At("closed")), "the child has written all");
        ReactorRest.ShouldSleep();
        mayRead.Set();
    });

    [Fact]
    public void TimeoutThatHasPassed_DuringTheGrace_LetsTheReactorSleep() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = TestPrograms.Shell(
            "trap 'echo >\"$1\"' TERM; while :; do sleep 0.1; done", directory.At("asked")) with
        {
            Timeout = limit,
            StopGrace = Timeout.InfiniteTimeSpan,
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => File.Exists(directory.At("asked")) || !child.IsRunning, "the time has passed");
        child.IsRunning.Should().BeTrue("the trap was set");
        ReactorRest.ShouldSleep();
        child.Kill();
    }));
}
