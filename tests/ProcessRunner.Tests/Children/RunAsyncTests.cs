using System;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Children;

public sealed class RunAsyncTests
{
    [Fact]
    public void RunAsync_OfCommand_GivesTheResult() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Quick("echo", "out", "return", "3").RunAsync().Result;
        result.ExitCode.Should().Be(3);
        result.StandardOutput.Text.Should().Be("out\n");
    });

    [Fact]
    public void RunAsync_Canceled_KillsTheChildAndThrowsWithTheCallersTokenAndTheResult() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using CancellationTokenSource source = new();
        Task<ProcessResult> run =
            TestPrograms.Quick("pid", "touch", directory.At("ready"), "sleep", "1000000").RunAsync(source.Token);
        directory.WaitFor("ready");
        run.IsCompleted.Should().BeFalse();
        source.Cancel();
        OperationCanceledException error = Canceled(run);
        error.CancellationToken.Should().Be(source.Token);
        error.Message.Should().Contain("touch");
        run.IsCanceled.Should().BeTrue();
        ProcessResult result = ProcessResult.Of(error)!;
        result.Outcome.Should().Be(ProcessOutcome.Canceled);
        result.StandardOutput.Text.Should().Be($"{result.ProcessId}\n");
        ProcFs.IsAlive(result.ProcessId).Should().BeFalse();
    });

    [Fact]
    public void RunAsync_WithCanceledToken_StartsNothing() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        CancellationToken canceled = new(canceled: true);
        Task<ProcessResult> run = TestPrograms.Quick("touch", directory.At("file")).RunAsync(canceled);
        OperationCanceledException error = Canceled(run);
        error.CancellationToken.Should().Be(canceled);
        ProcessResult.Of(error).Should().BeNull();
        System.IO.File.Exists(directory.At("file")).Should().BeFalse();
    });

    [Fact]
    public void RunAsync_CanceledAfterTheEnd_KeepsTheResult() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        Task<ProcessResult> run = TestPrograms.Quick("return", "3").RunAsync(source.Token);
        run.Wait();
        source.Cancel();
        run.Result.ExitCode.Should().Be(3);
    });

    [Fact]
    public void RunAsync_WhoseTimeoutPasses_IsDataAndNotAnException() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        ProcessCommand command = TestPrograms.Quick("sleep", "1000000") with
        {
            Timeout = TimeSpan.FromMilliseconds(20),
        };
        command.RunAsync(source.Token).Result.Outcome.Should().Be(ProcessOutcome.TimedOut);
    });

    [Fact]
    public void RunAsync_OfMissingProgram_Fails() => Guard.Run(() =>
    {
        Func<Task> run = () => new ProcessCommand("/no/such/program").RunAsync();
        run.Should().ThrowExactlyAsync<ProcessStartException>().Wait();
    });

    [Fact]
    public void RunAsync_WithoutEngine_Throws() => Guard.Run(() =>
    {
        Func<Task> run = () => TestPrograms.Quick().RunAsync(null!, default);
        run.Should().ThrowExactlyAsync<ArgumentNullException>().Wait();
    });

    [Fact]
    public void Of_ForeignException_IsNull()
    {
        ProcessResult.Of(new OperationCanceledException()).Should().BeNull();
        FluentActions.Invoking(() => ProcessResult.Of(null!)).Should().ThrowExactly<ArgumentNullException>();
    }

    private static OperationCanceledException Canceled(Task run) =>
        run.Awaiting(task => task).Should().ThrowAsync<OperationCanceledException>().Result.Which;
}
