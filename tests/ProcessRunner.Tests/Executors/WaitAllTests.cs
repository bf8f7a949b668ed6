using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Executors;

public sealed class WaitAllTests
{
    [Fact]
    public void WaitAll_OfNone_IsTrue() => ProcessExecutor.WaitAll([], TimeSpan.Zero).Should().BeTrue();

    [Fact]
    public void WaitAll_OfMany_IsTrueWhenAllHaveEnded() => Guard.Run(() =>
    {
        ProcessExecutor[] executors =
            [.. Enumerable.Range(0, 100).Select(number => Started("echo", $"{number}", "return", $"{number}"))];
        ProcessExecutor.WaitAll(executors, Timeout.InfiniteTimeSpan).Should().BeTrue();
        executors.Select(executor => executor.Result.ExitCode)
            .Should().Equal(Enumerable.Range(0, 100).Select(number => (int?)number));
        executors.Select(executor => executor.Result.StandardOutput.Text)
            .Should().Equal(Enumerable.Range(0, 100).Select(number => $"{number}\n"));
        DisposeAll(executors);
    });

    [Fact]
    public void WaitAll_WhoseLimitPasses_KillsThoseThatStillRun() => Guard.Run(() =>
    {
        ProcessExecutor ended = Started("return", "3");
        ended.Wait();
        ProcessExecutor[] executors = [Started("sleep", "1000000"), ended, Started("sleep", "1000000")];
        ProcessExecutor.WaitAll(executors, TimeSpan.FromMilliseconds(20)).Should().BeFalse();
        executors.Select(executor => executor.Result.Outcome)
            .Should().Equal(ProcessOutcome.TimedOut, ProcessOutcome.Exited, ProcessOutcome.TimedOut);
        DisposeAll(executors);
    });

    [Fact]
    public void WaitAll_WithMisuse_Throws() => Guard.Run(() =>
    {
        using ProcessExecutor idle = new("idle", "true");
        Action[] misuses =
        [
            () => ProcessExecutor.WaitAll(null!, TimeSpan.Zero),
            () => ProcessExecutor.WaitAll([null!], TimeSpan.Zero),
        ];
        misuses.Should().AllSatisfy(misuse => misuse.Should().ThrowExactly<ArgumentNullException>());
        FluentActions.Invoking(() => ProcessExecutor.WaitAll([idle], TimeSpan.Zero))
            .Should().ThrowExactly<InvalidOperationException>();
        FluentActions.Invoking(() => ProcessExecutor.WaitAll([], TimeSpan.FromMilliseconds(-2)))
            .Should().ThrowExactly<ArgumentOutOfRangeException>();
    });

    private static ProcessExecutor Started(params string[] words)
    {
        ProcessExecutor executor = new(words[0], TestPrograms.Quick());
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
