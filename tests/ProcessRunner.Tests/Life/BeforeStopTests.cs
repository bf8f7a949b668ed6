using System;
using System.Collections.Concurrent;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies the call that comes before a stop.</summary>
public sealed class BeforeStopTests
{
    private static readonly TimeSpan s_long = TimeSpan.FromMinutes(10);

    [Fact]
    public void Call_ComesOnceAndBeforeTheStop_WithTheChildAlive() => Guard.Run(() =>
    {
        ConcurrentQueue<(StopNotice Notice, string? Thread)> calls = [];
        bool isAlive = false;
        ChildProcess? child = null;
        using ManualResetEventSlim isStarted = new();
        ProcessCommand command = TestPrograms.Child("sleep", "100000") with
        {
            Timeout = TimeSpan.FromSeconds(2),
            StopGrace = TimeSpan.Zero,
            BeforeStopLimit = s_long,
            BeforeStop = notice =>
            {
                isStarted.Wait();
                isAlive = !child!.TryWait(TimeSpan.FromMilliseconds(200), out _);
                calls.Enqueue((notice, Thread.CurrentThread.Name));
            },
        };
        child = command.Start();
        isStarted.Set();
        ProcessResult result = child.Wait();
        child.Dispose();
        calls.Should().ContainSingle();
        calls.TryPeek(out (StopNotice Notice, string? Thread) call);
        call.Notice.Should().Be(new StopNotice(command, result.ProcessId, StopCause.Timeout));
        call.Thread.Should().Be("ProcessRunner delivery");
        isAlive.Should().BeTrue();
        result.Outcome.Should().Be(ProcessOutcome.TimedOut);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [NotUnderWine("no CTRL_BREAK reaches a child there")]
    public void Call_ThatHangs_DoesNotPreventTheStop(bool isGrace) => Guard.Run(() => LongerLimits.Until(limit =>
    {
        using ManualResetEventSlim release = new();
        using ManualResetEventSlim called = new();
        ProcessCommand command = TestPrograms.Child("sleep", "100000") with
        {
            BeforeStopLimit = limit,
            BeforeStop = _ =>
            {
                called.Set();
                release.Wait();
            },
        };
        using ChildProcess child = command.Start();
        child.Stop(isGrace ? s_long : TimeSpan.FromMilliseconds(100)).Outcome.Should().Be(ProcessOutcome.Canceled);
        called.IsSet.Should().BeTrue();
        release.Set();
    }));

    [Fact]
    public void Kill_DuringTheCall_DoesNotWaitForIt() => Guard.Run(() =>
    {
        using ManualResetEventSlim release = new();
        using ManualResetEventSlim called = new();
        ProcessCommand command = TestPrograms.Child("sleep", "100000") with
        {
            BeforeStopLimit = s_long,
            BeforeStop = _ =>
            {
                called.Set();
                release.Wait();
            },
        };
        using ChildProcess child = command.Start();
        Task<ProcessResult> stop = child.StopAsync();
        called.Wait();
        stop.IsCompleted.Should().BeFalse();
        child.Kill();
        child.Wait().StoppedBy.Should().Be(StopCause.Request);
        release.Set();
    });

    [Fact]
    public void Kill_AndDisposalOfTheEngine_MakeNoCall() => Guard.Run(() =>
    {
        int calls = 0;
        ProcessCommand command = TestPrograms.Child("sleep", "100000") with
        {
            BeforeStop = _ => Interlocked.Increment(ref calls),
        };
        using (ChildProcess child = command.Start())
        {
            child.Kill();
            child.Wait();
        }

        ProcessEngine engine = new();
        using ChildProcess other = command.Start(engine);
        engine.Dispose();
        calls.Should().Be(0);
    });

    [Theory]
    [InlineData(StopCause.CancellationToken)]
    [InlineData(StopCause.WaitLimit)]
    [InlineData(StopCause.Timeout)]
    public void LimitOrToken_WithoutAGrace_MakesTheCall(StopCause cause) => Guard.Run(() =>
    {
        ConcurrentQueue<StopCause> causes = [];
        ProcessCommand command = TestPrograms.Child("sleep", "100000") with
        {
            StopGrace = TimeSpan.Zero,
            BeforeStopLimit = s_long,
            BeforeStop = notice => causes.Enqueue(notice.Cause),
        };
        ProcessResult result = StoppedBy(cause, command);
        result.StoppedBy.Should().Be(cause);
        causes.Should().Equal(cause);
    });

    [Theory]
    [InlineData(StopCause.Request)]
    [InlineData(StopCause.Dispose)]
    public void RequestOrDisposal_WithoutAGrace_MakesNoCall(StopCause cause) => Guard.Run(() =>
    {
        int calls = 0;
        ProcessCommand command = TestPrograms.Child("sleep", "100000") with
        {
            StopGrace = TimeSpan.Zero,
            BeforeStopLimit = s_long,
            BeforeStop = _ => calls++,
        };
        StoppedBy(cause, command).StoppedBy.Should().Be(cause);
        calls.Should().Be(0);
    });

    // The delivery thread comes only after the end of the run, when another process may have the id.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Call_WhoseStopHasNotWaitedForIt_IsNotMade(bool isKilled) => Guard.Run(() =>
    {
        int calls = 0;
        using ProcessEngine engine = HeldThreads.Engine(out HeldThreads threads);
        ProcessCommand command = TestPrograms.Child("sleep", "100000") with
        {
            BeforeStopLimit = isKilled ? s_long : TimeSpan.Zero,
            BeforeStop = _ => calls++,
        };
        using ChildProcess child = command.Start(engine);
        child.RequestStop();
        if (isKilled)
        {
            child.Kill();
        }

        child.Wait().StoppedBy.Should().Be(StopCause.Request);
        threads.RunHeld().Should().Be(1);
        calls.Should().Be(0);
    });

    [Fact]
    public void Run_ThatEndsByItself_MakesNoCall() => Guard.Run(() =>
    {
        int calls = 0;
        (TestPrograms.Quick("return", "0") with { BeforeStop = _ => calls++ }).Run().EnsureSuccess();
        calls.Should().Be(0);
    });

    [Fact]
    public void Child_ThatEndsDuringTheCall_KeepsItsIdUntilTheCallReturns() => Guard.Run(() =>
    {
        using ManualResetEventSlim release = new();
        using ManualResetEventSlim called = new();
        ProcessCommand command = TestPrograms.Child("sleep", "100000") with
        {
            BeforeStopLimit = s_long,
            BeforeStop = _ =>
            {
                called.Set();
                release.Wait();
            },
        };
        using ChildProcess child = command.Start();
        Task<ProcessResult> stop = child.StopAsync();
        called.Wait();
        child.Signal((System.Runtime.InteropServices.PosixSignal)9).Should().BeTrue();
        stop.Wait(TimeSpan.FromMilliseconds(300)).Should().BeFalse();
        release.Set();
        child.Wait().StoppedBy.Should().Be(StopCause.Request);
    });

    [Fact]
    public void Call_ThatThrows_IsToldByTheWaitAfterTheStop() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessCommand command = TestPrograms.Child("sleep", "100000") with
        {
            Timeout = limit,
            BeforeStopLimit = s_long,
            BeforeStop = _ => throw new InvalidDataException("no dump"),
        };
        InvalidDataException exception = FluentActions.Invoking(() => command.Run())
            .Should().Throw<InvalidDataException>().Which;
        ProcessResult.Of(exception)!.Outcome.Should().Be(ProcessOutcome.TimedOut);
    }));

    [Fact]
    public void Call_SeesTheContextOfTheCaller() => Guard.Run(() =>
    {
        AsyncLocal<string> local = new() { Value = "mine" };
        string? seen = null;
        using ChildProcess child = (TestPrograms.Child("sleep", "100000") with
        {
            BeforeStopLimit = s_long,
            BeforeStop = _ => seen = local.Value,
        }).Start();
        child.Stop();
        seen.Should().Be("mine");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "shell scripts")]
    [NativeBackend("the portable backend cannot find descendants")]
    public void Descendants_OfAStopThatWasHeldBack_EndAsWell() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessCommand command = TestPrograms.Shell("sleep 1000 & echo $!; exec sleep 1000") with
        {
            Timeout = limit,
            BeforeStop = _ => { },
        };
        ProcessResult result = command.Run();
        ProcFs.IsAlive(int.Parse(result.StandardOutput.Text, System.Globalization.CultureInfo.InvariantCulture))
            .Should().BeFalse();
    }));

    private static ProcessResult StoppedBy(StopCause cause, ProcessCommand command)
    {
        if (cause == StopCause.WaitLimit)
        {
            using ProcessExecutor executor = new("sleeper", command);
            executor.Run();
            executor.Wait(TimeSpan.Zero).Should().BeFalse();
            return executor.Result;
        }

        if (cause == StopCause.CancellationToken)
        {
            using CancellationTokenSource source = new();
            Task<ProcessResult> run = command.RunAsync(source.Token);
            source.Cancel();
            return ProcessResult.Of(FluentActions.Invoking(() => run.GetAwaiter().GetResult())
                .Should().Throw<OperationCanceledException>().Which)!;
        }

        using ChildProcess child =
            (cause == StopCause.Timeout ? command with { Timeout = TimeSpan.FromSeconds(2) } : command).Start();
        if (cause == StopCause.Dispose)
        {
            child.Dispose();
        }
        else if (cause == StopCause.Request)
        {
            child.RequestStop();
        }

        return child.Wait();
    }
}
