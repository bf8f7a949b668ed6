using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Life;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies what a run by the portable backend promises where threads and events meet.</summary>
[Collection(Alone.Name)]
public sealed class PortableRoadTests : IDisposable
{
    private const int Unavailable = 11;

    private readonly ProcessEngine _engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });

    public void Dispose() => _engine.Dispose();

    // .NET notes the end before the code, and every signal asks whether the child has ended.
    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Signals_RacingWithTheExit_LeaveTheExitCode() => Guard.Run(() =>
    {
        const int Runs = 1000;
        ChildProcess? current = null;
        bool isOver = false;
        Thread signaler = new(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                Volatile.Read(ref current)?.Signal(PosixSignal.SIGCONT);
            }
        });
        signaler.Start();
        List<int?> codes = [];
        for (int i = 0; i < Runs; i++)
        {
            using ChildProcess child = TestPrograms.Quick("return", "7").Start(_engine);
            Volatile.Write(ref current, child);
            codes.Add(child.Wait().ExitCode);
        }

        Volatile.Write(ref isOver, true);
        signaler.Join();
        codes.Should().OnlyContain(code => code == 7);
    });

    // The holder has the child's input open, so the exit that was seen ends the write, not the broken pipe before it;
    // the exit is told when the silent output counts as held open.
    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Stop_BetweenTheExitAndItsReport_IsNotItsCause() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        ProcessCommand command =
            TestPrograms.Shell("exec 3<&0; (read x <\"$1\") & exit 7", go) with { StandardInput = InputSource.Pipe };
        using ChildProcess child = command.Start(_engine);
        Task write = child.StandardInput.WriteAsync(new byte[10_000_000]).AsTask();
        FluentActions.Invoking(() => write.GetAwaiter().GetResult()).Should().NotThrow();
        child.RequestStop();
        File.WriteAllText(go, "go\n");
        ProcessResult result = child.Wait();
        (result.Outcome, result.ExitCode, result.StoppedBy)
            .Should().Be((ProcessOutcome.Exited, 7, StopCause.None));
    });

    // The callback has taken all that was read before, and what the child writes then fills its pipe. The FIFO is open
    // here as well: a child that its limit has stopped would open its end no longer.
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void ChildThatWaitsForACallback_IsNotIdle() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        using TemporaryDirectory directory = new();
        using ManualResetEventSlim isInside = new();
        using ManualResetEventSlim isToRead = new();
        string go = directory.Fifo("go");
        using FileStream writer = new(go, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);
        long bytes = 0;
        ProcessCommand command =
            TestPrograms.Shell("printf 1; read go <\"$1\"; exec head -c 500000 /dev/zero", go) with
            {
                IdleTimeout = limit,
                StandardOutput = OutputTarget.ToBytes(chunk =>
                {
                    isInside.Set();
                    isToRead.Wait();
                    bytes += chunk.Length;
                }),
            };
        using ChildProcess child = command.Start(_engine);
        Eventually.Is(() => isInside.IsSet || !child.IsRunning, "the first byte is there, or the limit passed first");
        isInside.IsSet.Should().BeTrue();
        writer.Write("go\n"u8);

        // This child serves as the clock.
        for (int i = 0; i < 2; i++)
        {
            (TestPrograms.Quick("sleep", "1000000") with { IdleTimeout = limit }).Run(_engine);
        }

        isToRead.Set();
        child.Wait().Outcome.Should().Be(ProcessOutcome.Exited);
        bytes.Should().Be(500_001);
    }));

    [Fact]
    public void Input_WithoutMemory_StopsItsChildAlone() => Guard.Run(() =>
    {
        using ChildProcess child =
            (TestPrograms.Quick("stdin") with { StandardInput = InputSource.Pipe }).Start(_engine);
        Task write;
        FaultPoint.Decide = call =>
            call == "buffer" && Thread.CurrentThread.Name == "ProcessRunner worker" ? Unavailable : 0;
        try
        {
            write = child.StandardInput.WriteAsync(new byte[1_000_000]).AsTask();
            FluentActions.Invoking(() => child.Wait()).Should().Throw<InsufficientMemoryException>();
        }
        finally
        {
            FaultPoint.Decide = null;
        }

        write.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue("nothing waits for a child that has ended");
        TestPrograms.Quick("return", "3").Run(_engine).ExitCode.Should().Be(3);
    });

    // .NET reports no exit while a process of this program starts, so only the kernel tells it. A run with a callback
    // is over at a deadline, and the next command starts then.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [OnlyOn(Systems.Linux, "a lease of a file")]
    public void StartOfABatch_ThatHangs_LetsTheDeadlinesOfOthersPass(bool comesAfterACallback) => Guard.Run(() =>
    {
        using HangingProgram program = new();
        using TemporaryDirectory directory = new();
        string ready = directory.At("ready");
        using ChildProcess stranger = TestPrograms.Shell(
            "trap '' TERM; echo >\"$1\"; while :; do sleep 0.05; done", ready).Start(_engine);
        Eventually.Is(() => File.Exists(ready), "it ignores the signal");
        int stopped = stranger.ProcessId;
        HashSet<int> before = [.. ProcFs.Children.Select(one => one.Id)];
        ProcessCommand called =
            TestPrograms.Quick("echo", "1") with { StandardOutput = OutputTarget.ToLines(_ => { }) };
        BatchResults batch = ProcessBatch.Enumerate(
            comesAfterACallback ? [called, program.Command] : [program.Command],
            new BatchOptions { Engine = _engine, MaxConcurrency = 1 });
        Thread reader = new(() => _ = batch.Count());
        reader.Start();
        Eventually.Is(() => program.IsAwaited, "the start hangs");
        int starting = ProcFs.Children.First(one => one.State != 'Z' && !before.Contains(one.Id)).Id;
        Thread stopper = new(() => stranger.Stop(TimeSpan.FromMilliseconds(100)));
        stopper.Start();
        try
        {
            // The kernel ends the lease after 45 s (/proc/sys/fs/lease-break-time), and the process that hangs with it.
            Eventually.Is(
                () => !ProcFs.IsAlive(stopped) || !ProcFs.IsAlive(starting), "the grace or the start comes to its end");
            ProcFs.IsAlive(starting).Should().BeTrue("the grace ends while the start hangs");
        }
        finally
        {
            // The process that hangs has the lease as well, since .NET forks.
            program.Refuse();
            program.Release();
            stopper.Join();
            reader.Join();
        }
    });

    // Natively it is the null device.
    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void ProcessThatOutlivesTheRun_CanWriteToDiscardedOutput() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        string end = directory.Fifo("end");
        (TestPrograms.Shell(
            "(trap '' PIPE; read go <\"$1\"; echo first; sleep 0.1; "
            + "if echo second; then echo fine >\"$2\"; else echo bad >\"$2\"; fi) &",
            go,
            end) with
        {
            StandardOutput = OutputTarget.Null,
            StandardError = OutputTarget.Null,
            Descendants = DescendantPolicy.Leave,
        }).Run(_engine).ExitCode.Should().Be(0);
        File.WriteAllText(go, "go\n");
        File.ReadAllText(end).Should().Be("fine\n");
    });
}
