using System;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class StopCauseTests
{
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void StoppedBy_OfChildThatNobodyStopped_IsNone() => Guard.Run(() =>
    {
        TestPrograms.Quick().Run().StoppedBy.Should().Be(StopCause.None);
        TestPrograms.Shell("kill -9 $$").Run().StoppedBy.Should().Be(StopCause.None);
    });

    [Fact]
    public void StoppedBy_NamesTheTimeout() => Guard.Run(() =>
        (s_sleeper with { Timeout = TimeSpan.FromMilliseconds(5) }).Run().StoppedBy.Should().Be(StopCause.Timeout));

    [Fact]
    public void StoppedBy_NamesTheLimitOfAWait() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", s_sleeper);
        executor.Run();
        executor.Wait(TimeSpan.Zero);
        executor.Result.StoppedBy.Should().Be(StopCause.WaitLimit);
    });

    [Fact]
    public void StoppedBy_NamesTheToken() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        Task<ProcessResult> run = s_sleeper.RunAsync(source.Token);
        source.Cancel();
        OperationCanceledException error = run.Awaiting(task => task)
            .Should().ThrowAsync<OperationCanceledException>().Result.Which;
        ProcessResult.Of(error)!.StoppedBy.Should().Be(StopCause.CancellationToken);
    });

    [Fact]
    public void StoppedBy_NamesKillAndDispose() => Guard.Run(() =>
    {
        using ChildProcess killed = s_sleeper.Start();
        killed.Kill();
        killed.Wait().StoppedBy.Should().Be(StopCause.Request);
        ChildProcess disposed = s_sleeper.Start();
        disposed.Dispose();
        disposed.Wait().StoppedBy.Should().Be(StopCause.Dispose);
    });

    [Fact]
    public void StoppedBy_NamesTheEngine() => Guard.Run(() =>
    {
        ProcessEngine engine = new();
        ChildProcess child = s_sleeper.Start(engine);
        engine.Dispose();
        child.Wait().StoppedBy.Should().Be(StopCause.EngineDispose);
    });

    // The child has ended in time, but its callback has not: the first stop of the run ends it.
    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void StoppedBy_OfARunThatWaitsForItsCallback_IsTheFirst() => Guard.Run(() =>
    {
        using ManualResetEventSlim isOver = new();
        ProcessCommand command = TestPrograms.Quick("echo", "") with
        {
            StandardOutput = OutputTarget.ToLines(_ => isOver.Wait()),
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => !child.Signal(PosixSignal.SIGCONT), "the child has ended");
        Task<ProcessResult> stop = child.StopAsync();
        child.DisposeAsync().AsTask().Wait();
        stop.Result.StoppedBy.Should().Be(StopCause.Request);
        isOver.Set();
    });
}
