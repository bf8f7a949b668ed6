using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Execution;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Verifies that every limit reaches an exec that hangs for as long as a file system likes, and that no other run is
/// affected.
/// </summary>
[OnlyOn(Systems.Linux, "starts that hang in a FIFO or in FUSE")]
[NativeBackend(".NET cannot end a start that hangs")]
public sealed class HangingStartTests
{
    private const int Repetitions = 1000;

    [Theory]
    [InlineData(0)]
    [InlineData(60)]
    public void Timeout_EndsIt(int graceSeconds) => Guard.Run(() =>
    {
        using HangingProgram program = new();
        ProcessCommand command = program.Command with
        {
            Timeout = TimeSpan.FromMilliseconds(100),
            StopGrace = TimeSpan.FromSeconds(graceSeconds),
        };
        ProcessResult result = command.Run();
        (result.Outcome, result.StoppedBy, result.SignalNumber)
            .Should().Be((ProcessOutcome.TimedOut, StopCause.Timeout, 9), "it has done nothing that a grace is for");
    });

    // Nothing can receive the first SIGKILL, and no other event follows it.
    [Theory]
    [InlineData("")]
    [InlineData("USE_POSIX_SPAWN=1")]
    public void Kill_BeforeTheProcessExists_EndsIt(string variable) =>
        Guard.Run(() => HostProcess.PlayWith($"{variable} exec \"$@\"", "kill-before-the-process"));

    [Fact]
    public void Timeout_OfAnotherChild_HoldsBetweenManySlowStarts() =>
        Guard.Run(() => HostProcess.Play("slow-starts"));

    [Fact]
    public void Cancel_EndsIt_AndTheExecutorRunsMeanwhile() => Guard.Run(() =>
    {
        using HangingProgram program = new();
        using ProcessExecutor executor = new("hanging", program.Command);
        Thread starter = Plainly(() => executor.Run());
        Eventually.Is(() => program.IsAwaited, "the start hangs");
        executor.IsRunning.Should().BeTrue();
        executor.RequestStop();
        starter.Join();
        executor.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        executor.IsRunning.Should().BeFalse();
    });

    [Fact]
    public void Dispose_OfTheExecutor_EndsIt() => Guard.Run(() =>
    {
        using HangingProgram program = new();
        ProcessExecutor executor = new("hanging", program.Command);
        Thread starter = Plainly(() => executor.Run());
        Eventually.Is(() => program.IsAwaited, "the start hangs");
        executor.Dispose();
        starter.Join();
        executor.Result.StoppedBy.Should().Be(StopCause.Dispose);
    });

    [Fact]
    public void Dispose_OfTheEngine_EndsIt() => Guard.Run(() =>
    {
        using HangingProgram program = new();
        ProcessEngine engine = new();
        ProcessResult? result = null;
        Thread starter = Plainly(() => result = program.Command.Run(engine));
        Eventually.Is(() => program.IsAwaited, "the start hangs");
        engine.Dispose();
        starter.Join();
        result!.StoppedBy.Should().Be(StopCause.EngineDispose);
    });

    [Fact]
    public void Token_EndsIt() => Guard.Run(() =>
    {
        using HangingProgram program = new();
        using CancellationTokenSource source = new();
        Task<ProcessResult>? run = null;
        Thread starter = Plainly(() => run = program.Command.RunAsync(source.Token));
        Eventually.Is(() => program.IsAwaited, "the start hangs");
        source.Cancel();
        starter.Join();
        OperationCanceledException thrown =
            run!.Invoking(static run => run.GetAwaiter().GetResult())
                .Should().Throw<OperationCanceledException>().Which;
        run!.IsCanceled.Should().BeTrue();
        ProcessResult.Of(thrown)!.StoppedBy.Should().Be(StopCause.CancellationToken);
    });

    [Fact]
    public void Lease_ThatEnds_LetsTheProgramRun() => Guard.Run(() =>
    {
        using HangingProgram program = new();
        ProcessResult? result = null;
        Thread starter = Plainly(() => result = program.Command.Run());
        Eventually.Is(() => program.IsAwaited, "the start hangs");
        program.Release();
        starter.Join();
        result!.ExitCode.Should().Be(7);
    });

    // Otherwise, the retried child would have to be stopped as well. The first child may be killed before the late
    // refusal of the program.
    [Fact]
    public void Start_ThatFailsDuringItsStop_IsNotTriedAgain() => Guard.Run(() =>
    {
        using HangingProgram program = new();
        using ProcessEngine engine = new();
        Task<ProcessResult>? run = null;
        Thread starter = Plainly(() => run = program.Command.RunAsync(engine));
        Eventually.Is(() => program.IsAwaited, "the start hangs");
        ChildLife life = Internals.LivesOf(engine).Single();
        life.Stop(StopCause.Request, TimeSpan.FromHours(1));
        program.Refuse();
        starter.Join();
        ((IAsyncResult)run!).AsyncWaitHandle.WaitOne();
        (Internals.StartOf(life).Attempts, run!.IsFaulted || run.Result.SignalNumber == 9).Should().Be((1, true));
    });

    // A forwarded Ctrl-C makes this call.
    [Fact]
    public void Interrupt_ReachesTheProgramOnceItRuns() => Guard.Run(() =>
    {
        using HangingProgram program = new("#!/bin/sh\nexec sleep 1000\n");
        using ProcessEngine engine = new();
        ProcessResult? result = null;
        Thread starter = Plainly(() => result = program.Command.Run(engine));
        Eventually.Is(() => program.IsAwaited, "the start hangs");
        Internals.LivesOf(engine).Single().TryInterrupt().Should().BeTrue();
        program.Release();
        starter.Join();
        (result!.SignalNumber, result.StoppedBy).Should().Be((2, StopCause.None));
    });

    // The reactor's thread makes the starts of a batch, and this engine has one reactor.
    [Fact]
    public void Batch_WithOne_GoesOn_AndSoDoesEverybodyElseOnItsReactor() => Guard.Run(() =>
    {
        using HangingProgram program = new();
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        using ChildProcess stranger =
            (TestPrograms.Shell("sleep 1000") with { Timeout = TimeSpan.FromMilliseconds(1) }).Start(engine);
        ProcessCommand[] others =
            [.. Enumerable.Range(0, 10).Select(number => TestPrograms.Shell("echo $0", $"{number}"))];
        BatchResults batch = ProcessBatch.Enumerate(
            others.Prepend(program.Command), new BatchOptions { MaxConcurrency = 2, Engine = engine });
        List<BatchResult> results = [];
        foreach (BatchResult result in batch)
        {
            results.Add(result);
            if (results.Count == others.Length)
            {
                program.IsAwaitedBy(engine).Should().BeTrue("the first one still hangs");
                stranger.Wait().Outcome.Should().Be(ProcessOutcome.TimedOut);
                TestPrograms.Shell("exit 4").Run(engine).ExitCode.Should().Be(4);
                Eventually.Is(
                    () => Internals.ReactorsOf(engine).Single().ThreadCount == 2,
                    "no thread but the one that hangs is there beside the reactor's");
                batch.RequestStop();
            }
        }

        results.Take(others.Length).Select(result => result.Index).Should().NotContain(0);
        results.Should().HaveCount(others.Length + 1);
        results[^1].Result!.StoppedBy.Should().Be(StopCause.Request);
    });

    // A start can hang before there is any process: in a directory on PATH, or while a guardian is started.
    [Theory]
    [InlineData("access")]
    [InlineData("memfd_create")]
    public void Batch_WithALookupThatHangs_LeavesItsReactorToTheOthers(string call) =>
        Guard.Run(() => HostProcess.Play("hanging-lookup", call));

    // Otherwise, the start would be mistaken for a hanging start.
    [Fact]
    public void Start_OfABatch_IsOverWhenItsResultIsThere() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        for (int i = 0; i < 20; i++)
        {
            ProcessBatch.Enumerate([new ProcessCommand("true")], new BatchOptions { Engine = engine })
                .Should().OnlyContain(result => result.IsSuccess);
            Internals.ReactorsOf(engine).Should().OnlyContain(reactor => !reactor.IsStarting);
        }
    });

    [Fact]
    public void Batch_OfThem_IsEndedByItsTimeLimit() => Guard.Run(() =>
    {
        using HangingProgram program = new();
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 2 });
        BatchOptions options = new()
        {
            MaxConcurrency = 8,
            Engine = engine,
            Timeout = TimeSpan.FromMilliseconds(300),
        };
        BatchResults batch = ProcessBatch.Enumerate(Enumerable.Repeat(program.Command, 100), options);
        BatchResult[] results = [.. batch];
        batch.StoppedBy.Should().Be(StopCause.BatchTimeout);
        results.Should().OnlyContain(result => result.Result!.StoppedBy == StopCause.BatchTimeout);
    });

    [Fact]
    public void Stop_RacingWithTheStart_EndsEveryChildOnce() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        using ProcessExecutor executor = new("racer", TestPrograms.Shell("sleep 1000"), engine);
        for (int i = 0; i < Repetitions; i++)
        {
            Thread canceller = Plainly(() =>
            {
                SpinWait.SpinUntil(() => executor.IsRunning);
                executor.RequestStop();
            });
            executor.Run();
            canceller.Join();
            executor.Wait().StoppedBy.Should().Be(StopCause.Request);
        }

        engine.LiveChildren.Should().Be(0);
    });

    private static Thread Plainly(Action body)
    {
        Thread thread = new(() => body()) { IsBackground = true };
        thread.Start();
        return thread;
    }
}
