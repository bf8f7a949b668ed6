using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Children;

public sealed class WaitAsyncTests
{
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");

    [Fact]
    public void WaitAsync_IsPendingBeforeTheEndAndDoneAfter() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        Task<ProcessResult> wait = child.WaitAsync();
        wait.IsCompleted.Should().BeFalse();
        child.Kill();
        wait.Result.ShouldHaveDiedOf(9);
    });

    [Fact]
    public void WaitAsync_WithCanceledToken_IsCanceledAndLeavesTheChildRunning() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        CancellationToken canceled = new(canceled: true);
        Task<ProcessResult> wait = child.WaitAsync(canceled);
        wait.IsCanceled.Should().BeTrue();
        TokenOf(wait).Should().Be(canceled);
        ProcFs.IsAlive(child.ProcessId).Should().BeTrue();
    });

    [Fact]
    public void WaitAsync_Canceled_LeavesTheChildRunningAndCanBeRepeated() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        for (int i = 0; i < 10; i++)
        {
            using CancellationTokenSource source = new();
            Task<ProcessResult> wait = child.WaitAsync(source.Token);
            wait.IsCompleted.Should().BeFalse();
            source.Cancel();
            TokenOf(wait).Should().Be(source.Token);
        }

        child.IsRunning.Should().BeTrue();
        ProcFs.IsAlive(child.ProcessId).Should().BeTrue();
        Task<ProcessResult> last = child.WaitAsync();
        child.Kill();
        last.Result.Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void WaitAsync_AfterTheEnd_IsDoneEvenWithCanceledToken() => Guard.Run(() =>
    {
        using ChildProcess child = TestPrograms.Quick("return", "3").Start();
        child.Wait();
        child.WaitAsync(new CancellationToken(canceled: true)).Result.ExitCode.Should().Be(3);
    });

    [Fact]
    public void WaitAsync_ByManyAtOnce_GivesAllTheSameResult() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        Task<ProcessResult>[] waits = [child.WaitAsync(), child.WaitAsync(), child.WaitAsync()];
        child.Kill();
        ProcessResult[] results = Task.WhenAll(waits).Result;
        results.Should().OnlyContain(result => ReferenceEquals(result, results[0]));
    });

    [Fact]
    public void WaitAsync_Canceled_LeavesNothingWithTheChild() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        Task<ProcessResult> before = child.WaitAsync();
        WeakReference<Task> canceled = CanceledWait(child);
        Eventually.Is(
            () =>
            {
                GC.Collect();
                return !canceled.TryGetTarget(out _);
            },
            "nothing refers to the wait");
        child.Kill();
        before.Result.ShouldHaveDiedOf(9);
    });

    // A separate method, so that no local keeps the task alive. The task is neither the first waiter nor the last.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference<Task> CanceledWait(ChildProcess child)
    {
        using CancellationTokenSource source = new();
        Task<ProcessResult> wait = child.WaitAsync(source.Token);
        _ = child.WaitAsync();
        source.Cancel();
        wait.IsCanceled.Should().BeTrue();
        return new WeakReference<Task>(wait);
    }

    private static CancellationToken TokenOf(Task wait)
    {
        Action look = () => wait.GetAwaiter().GetResult();
        return look.Should().Throw<OperationCanceledException>().Which.CancellationToken;
    }
}
