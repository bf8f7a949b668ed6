using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Executors;

public sealed class WaitAllAsyncTests
{
    [Fact]
    public void WaitAllAsync_OfNone_IsTrue() => Guard.Run(() =>
    {
        ProcessExecutor.WaitAllAsync([], Timeout.InfiniteTimeSpan).Result.Should().BeTrue();
        ProcessExecutor.WaitAllAsync([], TimeSpan.Zero).Result.Should().BeTrue();
    });

    [Fact]
    public void WaitAllAsync_OfEndedOnes_IsTrueWhateverTheLimit() => Guard.Run(() =>
    {
        ProcessExecutor[] executors = [Started("return", "3"), Started()];
        Array.ForEach(executors, executor => executor.Wait());
        ProcessExecutor.WaitAllAsync(executors, TimeSpan.Zero).Result.Should().BeTrue();
        ProcessExecutor.WaitAll(executors, TimeSpan.Zero).Should().BeTrue();
        DisposeAll(executors);
    });

    [Fact]
    public void WaitAllAsync_OfMany_IsTrueWhenAllHaveEnded() => Guard.Run(() =>
    {
        ProcessExecutor[] executors =
            [.. Enumerable.Range(0, 100).Select(number => Started("echo", $"{number}", "return", $"{number}"))];
        ProcessExecutor.WaitAllAsync(executors, TimeSpan.FromHours(1)).Result.Should().BeTrue();
        executors.Select(executor => executor.Result.ExitCode)
            .Should().Equal(Enumerable.Range(0, 100).Select(number => (int?)number));
        DisposeAll(executors);
    });

    [Fact]
    public void WaitAllAsync_WhoseLimitPasses_KillsThoseThatStillRun() => Guard.Run(() =>
    {
        ProcessExecutor ended = Started("return", "3");
        ended.Wait();
        ProcessExecutor[] executors = [Sleeping(), ended, Sleeping()];
        ProcessExecutor.WaitAllAsync(executors, TimeSpan.FromMilliseconds(20)).Result.Should().BeFalse();
        executors.Select(executor => executor.Result.StoppedBy)
            .Should().Equal(StopCause.WaitLimit, StopCause.None, StopCause.WaitLimit);
        DisposeAll(executors);
    });

    [Fact]
    public void WaitAllAsync_OverSeveralEngines_KeepsItsLimitWhenOneOfThemEnds() => Guard.Run(() =>
        LongerLimits.Until(limit =>
        {
            ProcessEngine first = new();
            using ProcessEngine second = new();
            ProcessExecutor[] executors = [Sleeping(first), Sleeping(second), Sleeping(first)];
            Task<bool> wait = ProcessExecutor.WaitAllAsync(executors, limit);
            first.Dispose();
            wait.Result.Should().BeFalse();
            executors.Select(executor => executor.Result.StoppedBy)
                .Should().Equal(StopCause.EngineDispose, StopCause.WaitLimit, StopCause.EngineDispose);
            DisposeAll(executors);
        }));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WaitAllAsync_Canceled_EndsTheWaitAlone(bool isCanceledBefore) => Guard.Run(() =>
    {
        ProcessExecutor[] executors = [Sleeping(), Sleeping()];
        using CancellationTokenSource source = new();
        if (isCanceledBefore)
        {
            source.Cancel();
        }

        Task<bool> wait = ProcessExecutor.WaitAllAsync(executors, TimeSpan.FromHours(1), source.Token);
        source.Cancel();
        FluentActions.Invoking(() => wait.GetAwaiter().GetResult())
            .Should().Throw<OperationCanceledException>().Which.CancellationToken.Should().Be(source.Token);
        wait.IsCanceled.Should().BeTrue();
        executors.Should().OnlyContain(executor => executor.IsRunning);
        DisposeAll(executors);
    });

    [Fact]
    public void WaitAllAsync_OfFailedCallback_ThrowsItOnceAllHaveEnded() => Guard.Run(() =>
    {
        ProcessCommand failing = TestPrograms.Quick("echo", "text") with
        {
            StandardOutput = OutputTarget.ToLines(_ => throw new FormatException("thrown")),
        };
        ProcessExecutor[] executors = [new("failing", failing), new("other", TestPrograms.Quick())];
        Array.ForEach(executors, executor => executor.Run());
        FluentActions.Invoking(() => ProcessExecutor.WaitAllAsync(executors, Timeout.InfiniteTimeSpan).Wait())
            .Should().Throw<FormatException>().WithMessage("thrown");
        executors.Should().OnlyContain(executor => !executor.IsRunning);
        DisposeAll(executors);
    });

    [Fact]
    public void WaitAllAsync_RacingWithEndsAndItsToken_AlwaysEnds() => Guard.Run(() =>
    {
        for (int i = 0; i < 300; i++)
        {
            ProcessExecutor[] executors = [Started(), Started(), Started()];
            using CancellationTokenSource source = new();
            Thread canceller = new(source.Cancel);
            canceller.Start();
            Task<bool> wait =
                ProcessExecutor.WaitAllAsync(executors, TimeSpan.FromMilliseconds(3), source.Token);
            ((IAsyncResult)wait).AsyncWaitHandle.WaitOne();
            wait.IsFaulted.Should().BeFalse();
            executors.Should().OnlyContain(executor => wait.IsCanceled || !executor.IsRunning);
            canceller.Join();
            DisposeAll(executors);
        }
    });

    private static ProcessExecutor Sleeping(ProcessEngine? engine = null)
    {
        ProcessExecutor executor = new("quick", TestPrograms.Quick("sleep", "1000000"), engine);
        executor.Run();
        return executor;
    }

    private static ProcessExecutor Started(params string[] words)
    {
        ProcessExecutor executor = new("quick", TestPrograms.QuickChildPath);
        executor.Run(words);
        return executor;
    }

    private static void DisposeAll(IEnumerable<ProcessExecutor> executors)
    {
        foreach (ProcessExecutor executor in executors)
        {
            executor.Dispose();
        }
    }
}
