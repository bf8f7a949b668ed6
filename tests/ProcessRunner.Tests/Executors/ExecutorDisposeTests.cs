using System;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Executors;

public sealed class ExecutorDisposeTests
{
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_WhileTheChildRuns_KillsItAndWaitsUntilItIsGone() => Guard.Run(() =>
    {
        ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        executor.Run("1000000");
        executor.Dispose();
        executor.IsRunning.Should().BeFalse();
        executor.Result.Outcome.Should().Be(ProcessOutcome.Canceled);
        ProcFs.Children.Should().NotContain(entry => entry.Id == executor.Result.ProcessId);
    });

    [Fact]
    public void Dispose_BeforeAnyRunAndAgain_DoesNothing() => Guard.Run(() =>
    {
        ProcessExecutor executor = new("true", TestPrograms.Quick());
        executor.Dispose();
        executor.Dispose();
    });

    [Fact]
    public void Run_AfterDispose_Throws() => Guard.Run(() =>
    {
        ProcessExecutor executor = new("true", TestPrograms.Quick());
        executor.Run();
        executor.Wait();
        executor.Dispose();
        executor.Invoking(e => e.Run()).Should().ThrowExactly<ObjectDisposedException>();
        executor.Result.ExitCode.Should().Be(0);
    });
}
