using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Executors;

public sealed class WaitAnyTests
{
    [Fact]
    public void WaitAny_GivesThoseThatEndOneAfterTheOther() => Guard.Run(() =>
    {
        List<ProcessExecutor> left =
            [.. Enumerable.Range(0, 50).Select(number => Started("return", $"{number}"))];
        List<int> codes = [];
        while (left.Count > 0)
        {
            ProcessExecutor ended = ProcessExecutor.WaitAny(left, Timeout.InfiniteTimeSpan)!;
            ended.IsRunning.Should().BeFalse();
            codes.Add(ended.Result.ExitCode!.Value);
            left.Remove(ended);
            ended.Dispose();
        }

        codes.Should().BeEquivalentTo(Enumerable.Range(0, 50));
    });

    [Fact]
    public void WaitAny_WhoseLimitPasses_IsNullAndLetsAllGoOn() => Guard.Run(() =>
    {
        using ProcessExecutor first = Sleeping();
        using ProcessExecutor second = Sleeping();
        ProcessExecutor.WaitAny([first, second], TimeSpan.Zero).Should().BeNull();
        ProcessExecutor.WaitAny([first, second], TimeSpan.FromMilliseconds(20)).Should().BeNull();
        (first.IsRunning && second.IsRunning).Should().BeTrue();
        second.RequestStop();
        ProcessExecutor.WaitAny([first, second], Timeout.InfiniteTimeSpan).Should().BeSameAs(second);
    });

    [Fact]
    public void WaitAny_Interrupted_LetsAllGoOn() => Guard.Run(() =>
    {
        using ProcessExecutor executor = Sleeping();
        Exception? thrown = null;
        Thread waiter = new(() =>
        {
            try
            {
                ProcessExecutor.WaitAny([executor], Timeout.InfiniteTimeSpan);
            }
            catch (ThreadInterruptedException exception)
            {
                thrown = exception;
            }
        });
        waiter.Start();
        waiter.Interrupt();
        waiter.Join();
        thrown.Should().NotBeNull();
        executor.IsRunning.Should().BeTrue();
    });

    [Fact]
    public void WaitAny_WithMisuse_Throws() => Guard.Run(() =>
    {
        using ProcessExecutor idle = new("idle", "true");
        FluentActions.Invoking(() => ProcessExecutor.WaitAny(null!, TimeSpan.Zero))
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => ProcessExecutor.WaitAny([], TimeSpan.Zero))
            .Should().ThrowExactly<ArgumentException>().WithMessage("There is no executor to wait for.*");
        FluentActions.Invoking(() => ProcessExecutor.WaitAny([idle], TimeSpan.Zero))
            .Should().ThrowExactly<InvalidOperationException>();
        FluentActions.Invoking(() => ProcessExecutor.WaitAny([idle], TimeSpan.FromMilliseconds(-2)))
            .Should().ThrowExactly<ArgumentOutOfRangeException>();
    });

    private static ProcessExecutor Sleeping() => Started("sleep", "1000000");

    private static ProcessExecutor Started(params string[] words)
    {
        ProcessExecutor executor = new("quick", TestPrograms.QuickChildPath);
        executor.Run(words);
        return executor;
    }
}
