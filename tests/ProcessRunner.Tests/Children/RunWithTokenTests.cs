using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Life;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Children;

/// <summary>Verifies a blocking run that a token stops.</summary>
public sealed class RunWithTokenTests
{
    [Fact]
    public void Run_ThatIsNotCanceled_GivesTheResult() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        ProcessResult result = TestPrograms.Quick("echo", "out", "return", "3").Run(source.Token);
        result.ExitCode.Should().Be(3);
        result.StandardOutput.Text.Should().Be("out\n");
        source.Cancel();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Run_Canceled_StopsTheChildAndThrowsWithItsResult() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new();
        string ready = directory.Fifo("ready");
        using CancellationTokenSource source = new();
        Thread canceller = new(() =>
        {
            System.IO.File.ReadAllText(ready);
            source.Cancel();
        });
        canceller.Start();
        Action run = () => TestPrograms.Shell("echo $$; echo ready >\"$1\"; exec sleep 1000", ready)
            .Run(engine, source.Token);
        OperationCanceledException error = run.Should().Throw<OperationCanceledException>().Which;
        canceller.Join();
        error.CancellationToken.Should().Be(source.Token);
        ProcessResult result = ProcessResult.Of(error)!;
        result.Outcome.Should().Be(ProcessOutcome.Canceled);
        result.StandardOutput.Text.Should().Be($"{result.ProcessId}\n");
        ProcFs.IsAlive(result.ProcessId).Should().BeFalse();
    });

    [Fact]
    public void Pipeline_ThatIsNotCanceled_GivesTheResult() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        (TestPrograms.Quick("echo", "out") | TestPrograms.Quick("stdin")).Run(source.Token).StandardOutput.Text
            .Should().Be("out\n");
        source.Cancel();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Pipeline_Canceled_StopsAllStagesAndThrows() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new();
        string ready = directory.Fifo("ready");
        using CancellationTokenSource source = new();
        Thread canceller = new(() =>
        {
            System.IO.File.ReadAllText(ready);
            source.Cancel();
        });
        canceller.Start();
        ProcessPipeline pipeline = TestPrograms.Shell("exec sleep 1000")
            | TestPrograms.Shell("echo ready >\"$1\"; exec sleep 1000", ready);
        OperationCanceledException error = pipeline.Invoking(pipeline => pipeline.Run(engine, source.Token))
            .Should().Throw<OperationCanceledException>().Which;
        canceller.Join();
        error.CancellationToken.Should().Be(source.Token);
        ProcessResult.Of(error)!.Outcome.Should().Be(ProcessOutcome.Canceled);
        engine.LiveChildren.Should().Be(0);
        pipeline.Invoking(pipeline => pipeline.Run(new CancellationToken(canceled: true)))
            .Should().Throw<OperationCanceledException>();
        engine.StartedChildren.Should().Be(2);
    });

    [Fact]
    public void Run_WithCanceledToken_StartsNothing() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        Action run = () => new ProcessCommand("touch", directory.At("file")).Run(new CancellationToken(canceled: true));
        run.Should().Throw<OperationCanceledException>();
        System.IO.File.Exists(directory.At("file")).Should().BeFalse();
    });

    // The program stays open for writing, so that the start is tried again and again.
    [NativeBackend("the portable backend leaves such retries to the caller")]
    [Fact]
    public void Run_CanceledBetweenTwoAttempts_EndsWithoutAChild() => Guard.Run(() =>
    {
        using BusyProgram program = new();

        // On a busy machine all attempts can be over before the other thread cancels.
        Eventually.Is(() => IsCanceled(program.Command), "the start is given up");
    });

    [Fact]
    public void Run_WithTokenAndMissingProgram_ThrowsTheStartFailure() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        FluentActions.Invoking(() => new ProcessCommand("/no/such/program").Run(source.Token))
            .Should().ThrowExactly<ProcessStartException>();
        FluentActions.Invoking(() => TestPrograms.Quick().Run(null!, source.Token))
            .Should().ThrowExactly<ArgumentNullException>();
    });

    [Fact]
    public void Run_WhoseTokenIsCanceledAtTheEnd_EndsInOneOfTwoWays() => Guard.Run(() =>
    {
        for (int i = 0; i < 300; i++)
        {
            using CancellationTokenSource source = new();
            ProcessCommand command = TestPrograms.Quick("return", "3");
            Thread canceller = new(source.Cancel);
            canceller.Start();
            try
            {
                command.Run(source.Token).ExitCode.Should().Be(3);
            }
            catch (OperationCanceledException error)
            {
                (ProcessResult.Of(error)?.StoppedBy ?? StopCause.CancellationToken)
                    .Should().Be(StopCause.CancellationToken);
            }

            canceller.Join();
        }
    });

    private static bool IsCanceled(ProcessCommand busy)
    {
        using CancellationTokenSource source = new();
        Thread canceller = new(source.Cancel);
        int starts = 0;
        using ProcessEngine engine = new(new ProcessEngineOptions
        {
            Trace = _ =>
            {
                starts++;
                canceller.Start();
            },
        });
        try
        {
            Action run = () => busy.Run(engine, source.Token);
            Exception error = run.Should().Throw<Exception>().Which;
            ProcessResult.Of(error).Should().BeNull();
            starts.Should().Be(1);
            engine.LiveChildren.Should().Be(0);
            return error is OperationCanceledException;
        }
        finally
        {
            canceller.Join();
        }
    }
}
