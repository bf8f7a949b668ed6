using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Execution;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Io;

/// <summary>Verifies that a plain thread that waits for a child does the reactor's work for it.</summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[NativeBackend("the Linux backend itself")]
public sealed class WaiterLoopTests
{
    [Fact]
    public void Child_WhoseReactorIsStuck_IsReadAndReapedByTheThreadThatWaits() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        using TemporaryDirectory directory = new();
        string end = directory.Fifo("end");
        using StuckObserver observer = StuckObserver.In(engine, end);
        string go = directory.Fifo("go");
        using ProcessExecutor executor = new(
            "served", TestPrograms.Shell("read line <\"$1\"; seq 1 100000; seq 1 1000 >&2; exit 3", go), engine);
        executor.Run();
        Thread writer = StartThread(() => File.AppendAllText(go, "go\n"));
        executor.Wait();
        writer.Join();
        observer.IsStuck.Should().BeTrue();
        executor.Result.ExitCode.Should().Be(3);
        executor.Result.StandardOutput.Lines().Should().HaveCount(100_000).And.EndWith("100000");
        executor.Result.StandardError.Lines().Should().HaveCount(1000);
    });

    [Fact]
    public void ShortInput_IsThereWithoutTheReactor() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        using TemporaryDirectory directory = new();
        string end = directory.Fifo("end");
        using StuckObserver observer = StuckObserver.In(engine, end);
        string text = new('x', 32 * 1024);
        ProcessCommand command = new ProcessCommand("cat") with { StandardInput = InputSource.FromText(text) };
        engine.Start(new StartOrder(command)).Wait().StandardOutput.Text.Should().Be(text);
        observer.IsStuck.Should().BeTrue();
    });

    [Fact]
    public void ManyThreadsThatWaitForOneChild_AllGetItsResult() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        using ChildProcess child = TestPrograms.Shell("echo early; read line <\"$1\"; seq 1 50000; exit 4", go).Start();
        ProcessResult[] results = new ProcessResult[8];
        Thread[] threads = [.. results.Select((_, i) => StartThread(() => results[i] = child.Wait()))];
        File.AppendAllText(go, "go\n");
        Array.ForEach(threads, thread => thread.Join());
        results.Should().OnlyContain(result => ReferenceEquals(result, results[0]));
        results[0].ExitCode.Should().Be(4);
        results[0].StandardOutput.Lines().Should().HaveCount(50_001);
    });

    [Fact]
    public void InterruptedThread_StopsWaitingAndLosesNothingOfTheChild() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        using ChildProcess child = TestPrograms.Shell("echo early; read line <\"$1\"; seq 1 50000; exit 4", go).Start();
        Exception? thrown = null;
        Thread waiter = StartThread(() => thrown = Record.Exception(() => child.Wait()));
        waiter.Interrupt();
        waiter.Join();
        thrown.Should().BeOfType<ThreadInterruptedException>();
        child.IsRunning.Should().BeTrue();
        File.AppendAllText(go, "go\n");
        ProcessResult result = child.Wait();
        result.ExitCode.Should().Be(4);
        result.StandardOutput.Lines().Should().HaveCount(50_001);
    });

    [Fact]
    public void InterruptedThread_StopsWaitingAmidOutputThatNeverPauses() => Guard.Run(() =>
    {
        // The output is captured instead of delivered: a lock that a delivery thread holds would end the wait as well.
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        string hasWritten = directory.Fifo("has-written");
        ProcessCommand command = TestPrograms.Shell(
            "read line <\"$1\"; head -c 10000000 /dev/zero; echo >\"$2\"; exec yes", go, hasWritten) with
        {
            StandardOutput = OutputTarget.Capture(2048),
        };
        using ChildProcess child = command.Start();
        Exception? thrown = null;
        Thread waiter = StartThread(() =>
        {
            File.AppendAllText(go, "go\n");
            thrown = Record.Exception(() => child.Wait());
        });
        File.ReadAllText(hasWritten);
        waiter.Interrupt();
        waiter.Join();
        thrown.Should().BeOfType<ThreadInterruptedException>();
        child.IsRunning.Should().BeTrue();
    });

    [Fact]
    public void ChildThatClosesOneStream_IsReadOnTheOther() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("echo out; exec >&-; seq 1 100000 >&2; exit 6").Run();
        result.ExitCode.Should().Be(6);
        result.StandardOutput.Text.Should().Be("out\n");
        result.StandardError.Lines().Should().HaveCount(100_000);
    });

    [Fact]
    public void SlowReceiver_WhoseSinkIsFullForAWhile_GetsEveryLine() => Guard.Run(() =>
    {
        int lines = 0;
        ProcessCommand command = TestPrograms.Shell("seq 1 200000; echo done >&2") with
        {
            StandardOutput = OutputTarget.ToLines(_ => Thread.SpinWait(lines++ % 1000)),
        };
        ProcessResult result = command.Run();
        lines.Should().Be(200_000);
        result.StandardError.Text.Should().Be("done\n");
    });

    [Fact]
    public void Input_IsWrittenWhileTheThreadWaits() => Guard.Run(() =>
    {
        string text = string.Concat(Enumerable.Repeat("0123456789abcdef", 100_000));
        ProcessResult result = (new ProcessCommand("cat") with { StandardInput = InputSource.FromText(text) }).Run();
        result.StandardOutput.Text.Should().Be(text);
    });

    [Theory]
    [InlineData("sleep 1000 & exit 5")]
    [InlineData("echo text; sleep 1000 2>/dev/null & exit 5")]
    [InlineData("exec 2>&-; sleep 1000 & exit 5")]
    public void PipesThatDescendantsHoldAfterTheExit_GoBackToTheReactor(string script) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(script) with { Descendants = DescendantPolicy.KillAlways };
        ProcessResult result = command.Run();
        result.ExitCode.Should().Be(5);
        ProcFs.LiveMembers(result.ProcessId).Should().BeEmpty();
    });

    // The output exceeds the pipe, so that it must be read.
    [Theory]
    [InlineData("")]
    [InlineData(">&2")]
    public void PipesThatDescendantsHoldAfterTheExit_AreReadByTheReactor(string redirection) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        string end = directory.Fifo("end");
        ProcessCommand command = TestPrograms.Shell(
            $"{{ read go <\"$1\"; head -c 3000000 /dev/zero {redirection}; }} & read go <\"$2\"; exit 5", go, end) with
        {
            DrainGrace = TimeSpan.FromSeconds(60),
        };
        using ChildProcess child = command.Start();
        Thread writer = StartThread(() =>
        {
            Eventually.Is(() => IsServedByItsWaiter(child), "it is waited for");
            File.WriteAllText(end, "go\n");
            Eventually.Is(() => !child.Signal(PosixSignal.SIGCONT), "the child has ended");
            File.WriteAllText(go, "go\n");
        });
        ProcessResult result = child.Wait();
        writer.Join();
        (result.StandardOutput.TotalBytes + result.StandardError.TotalBytes).Should().Be(3_000_000);
        result.ExitCode.Should().Be(5);
    });

    [Fact]
    public void LimitsOfTheRun_HoldWhileTheThreadWaits() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessCommand sleeper = TestPrograms.Shell("echo out; sleep 1000");
        ProcessResult late = (sleeper with { Timeout = limit }).Run();
        late.Outcome.Should().Be(ProcessOutcome.TimedOut);
        late.StandardOutput.Text.Should().Be("out\n");
        ProcessResult idle = (sleeper with { IdleTimeout = limit }).Run();
        idle.StoppedBy.Should().Be(StopCause.IdleTimeout);
        idle.StandardOutput.Text.Should().Be("out\n");
    }));

    private static unsafe bool IsServedByItsWaiter(ChildProcess child)
    {
        LibC.PollDescriptor* polled = stackalloc LibC.PollDescriptor[(int)EventPart.Exit + 1];
        return ((LinuxChild)Internals.ChildOf(child)).TakenOver(polled) > 0;
    }

    private static Thread StartThread(Action body)
    {
        Thread thread = new(() => body());
        thread.Start();
        return thread;
    }

    /// <summary>Keeps the reactor busy that reports an end to it.</summary>
    private sealed class StuckObserver : IRunObserver, IDisposable
    {
        ExecutionContext? IRunObserver.Context => null;

        private readonly ManualResetEventSlim _stuck = new();
        private readonly ManualResetEventSlim _go = new();

        public bool IsStuck => _stuck.IsSet && !_go.IsSet;

        public static StuckObserver In(ProcessEngine engine, string fifo)
        {
            StuckObserver observer = new();
            engine.Create(
                new StartOrder(TestPrograms.Shell("read line <\"$1\"", fifo)) { Observer = observer }).Start();
            File.AppendAllText(fifo, "end\n");
            observer._stuck.Wait();
            return observer;
        }

        public void Dispose() => _go.Set();

        void IRunObserver.OnEnded(ProcessResult result)
        {
            _stuck.Set();
            _go.Wait();
        }
    }
}
