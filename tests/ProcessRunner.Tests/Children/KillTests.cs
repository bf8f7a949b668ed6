using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Children;

public sealed class KillTests
{
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");

    [Fact]
    public void Kill_OfRunningChild_EndsItAndKeepsWhatItWrote() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ChildProcess child = TestPrograms.Quick(
            "echo", "out", "err", "err", "touch", directory.At("ready"), "sleep", "1000000").Start();
        directory.WaitFor("ready");
        child.Kill();
        ProcessResult result = child.Wait();
        result.Outcome.Should().Be(ProcessOutcome.Canceled);
        (result.SignalNumber, result.ExitCode)
            .Should().Be(OperatingSystem.IsWindows() ? ((int?)null, -1) : (9, (int?)null));
        result.IsSuccess.Should().BeFalse();
        result.StandardOutput.Text.Should().Be("out\n");
        result.StandardError.Text.Should().Be("err\n");
    });

    // The one signal of every system.
    [Fact]
    public void Signal9_EndsTheChild_AndReachesNobodyAfterItsEnd() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        child.Signal((System.Runtime.InteropServices.PosixSignal)9).Should().BeTrue();
        child.Wait().StoppedBy.Should().Be(StopCause.None);
        child.Signal((System.Runtime.InteropServices.PosixSignal)9).Should().BeFalse();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Kill_OfChildThatIgnoresEverySignal_EndsIt() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        using ChildProcess child = TestPrograms.Shell(
            "trap '' TERM INT HUP QUIT; echo ready >\"$1\"; while :; do sleep 1000; done", ready).Start();
        System.IO.File.ReadAllText(ready);
        child.Kill();
        child.Wait().ShouldHaveDiedOf(9);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Kill_OfStoppedChild_EndsIt() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        child.Signal((System.Runtime.InteropServices.PosixSignal)19).Should().BeTrue();
        child.Kill();
        child.Wait().ShouldHaveDiedOf(9);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Kill_ReachesTheWholeProcessGroup() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        using ChildProcess child = TestPrograms.Shell(
            "sh -c 'sleep 1000 & sleep 1000 & wait' & echo ready >\"$1\"; wait", ready).Start();
        System.IO.File.ReadAllText(ready);
        child.Kill();
        ProcessResult result = child.Wait();
        result.ShouldHaveDiedOf(9);
        result.StandardOutput.IsHeldOpen.Should().BeFalse();
        Eventually.Is(() => ProcFs.LiveMembers(child.ProcessId).Count == 0, "no process of the group is left");
    });

    [Fact]
    public void Kill_WhileOthersStart_ReachesTheDescendants() => Guard.Run(() =>
    {
        using CancellationTokenSource ended = new();
        PlainThread others = PlainThread.Run(() =>
        {
            while (!ended.IsCancellationRequested)
            {
                TestPrograms.Quick().Run();
            }
        });
        try
        {
            for (int i = 0; i < 40; i++)
            {
                using TemporaryDirectory directory = new();
                ProcessCommand command = TestPrograms.Quick(
                    "spawn", "touch", directory.At("ready"), "sleep", "1000000", "end", "sleep", "1000000");

                // A killed process dies when it gets a processor.
                using ChildProcess child = (command with { DrainGrace = TimeSpan.FromMinutes(1) }).Start();
                directory.WaitFor("ready");
                child.Kill();
                child.Wait().StandardOutput.IsHeldOpen.Should().BeFalse();
            }
        }
        finally
        {
            ended.Cancel();
            others.Join();
        }
    });

    [Fact]
    public void Kill_Again_ChangesNothing() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        for (int i = 0; i < 10; i++)
        {
            child.Kill();
        }

        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void Kill_ByManyThreads_EndsTheChildOnce() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.Length; i++)
        {
            threads[i] = new Thread(child.Kill);
            threads[i].Start();
        }

        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        foreach (Thread thread in threads)
        {
            thread.Join();
        }
    });

    [Fact]
    public void Kill_AfterTheEnd_ChangesNothing() => Guard.Run(() =>
    {
        using ChildProcess child = TestPrograms.Quick("return", "3").Start();
        ProcessResult result = child.Wait();
        child.Kill();
        child.Wait().Should().BeSameAs(result);
        result.Outcome.Should().Be(ProcessOutcome.Exited);
    });
}
