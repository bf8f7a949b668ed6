using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Verifies that an asynchronous start blocks no thread, however often it is retried, and that its task reports every
/// failure.
/// </summary>
/// <remarks>
/// The program is freed after the call has returned: a call that waited for it would only return with a failure. If the
/// machine is so busy that all attempts are used up before the next line of the test, the test tries again.
/// </remarks>
public sealed class AsyncStartTests
{
    [Fact]
    [OnlyOn(Systems.Linux | Systems.Windows, "a program that is open for writing is busy")]
    public void RunAsync_OfABusyCommand_ReturnsBeforeItIsFree() => Guard.Run(() => ReturnsBeforeItIsFree(
        command => command.RunAsync().ContinueWith(run => run.Result.ExitCode, TaskScheduler.Default)));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [OnlyOn(Systems.Linux | Systems.Windows, "a program that is open for writing is busy")]
    public void RunAsync_OfAPipelineWithABusyStage_ReturnsBeforeItIsFree(bool isFirst) => Guard.Run(() =>
        ReturnsBeforeItIsFree(command =>
        {
            ProcessCommand other = TestPrograms.Quick();
            return (isFirst ? command.PipeTo(other) : other.PipeTo(command)).RunAsync()
                .ContinueWith(run => run.Result.Stages[isFirst ? 0 : 1].ExitCode, TaskScheduler.Default);
        }));

    [Fact]
    [OnlyOn(Systems.Linux | Systems.Windows, "a program that is open for writing is busy")]
    public void Token_CanceledWhileAStartIsTriedAgain_CancelsTheRun() => Guard.Run(() =>
    {
        using BusyProgram program = new();
        Eventually.Is(() => IsCanceledBetween(token => program.Command.RunAsync(token)), "the start is given up");
        Eventually.Is(
            () => IsCanceledBetween(token => TestPrograms.Quick("sleep", "1000000").PipeTo(program.Command)
                .RunAsync(cancellationToken: token)),
            "the pipeline is given up, and so is its first stage");
    });

    // The limit is shorter than the longer pauses and passes during one of them, or in the middle of an attempt: a
    // child that was killed there has a result.
    [Fact]
    [OnlyOn(Systems.Linux | Systems.Windows, "a program that is open for writing is busy")]
    public void Timeout_ThatPassesWhileAStartIsTriedAgain_EndsTheRun() => Guard.Run(() =>
    {
        using BusyProgram program = new();
        ProcessCommand command = program.Command with { Timeout = TimeSpan.FromMilliseconds(20) };
        Eventually.Is(
            () =>
            {
                Task<ProcessResult> run = command.RunAsync();
                if (Thrown(run) is not { } thrown)
                {
                    run.Result.StoppedBy.Should().Be(StopCause.Timeout);
                    return false;
                }

                thrown.Should().BeOfType<ProcessStartException>().Which.Step.Should().Be(ProcessStartStep.Busy);
                return true;
            },
            "the limit passes between two attempts");
    });

    [Fact]
    [OnlyOn(Systems.Linux | Systems.Windows, "a program that is open for writing is busy")]
    public void DisposeAsync_OfAnEngineWhoseStartsAreTriedAgain_EndsTheRuns() => Guard.Run(() =>
    {
        using BusyProgram program = new();
        ProcessEngine engine = new();
        Task<ProcessResult>[] runs = [.. Enumerable.Range(0, 5).Select(_ => program.Command.RunAsync(engine))];
        engine.DisposeAsync().AsTask().GetAwaiter().GetResult();
        runs.Should().OnlyContain(run => run.IsCompleted);

        // A child that was killed in the middle of an attempt has a result.
        Array.ForEach(
            runs, run => Assert.True(Thrown(run) is not null || run.Result.StoppedBy == StopCause.EngineDispose));
        Thrown(program.Command.RunAsync(engine)).Should().BeOfType<ObjectDisposedException>();
    });

    [Fact]
    public void WhenAll_OfRunsOfWhichSomeCannotStart_LeavesNoChildUnobserved() => Guard.Run(() =>
    {
        ProcessCommand[] commands = [.. Enumerable.Range(0, 40)
            .Select(i => i % 4 == 1 ? new ProcessCommand("/no/such/program") : TestPrograms.Quick("return", $"{i}"))];
        Task<ProcessResult>[] runs = [.. commands.Select(command => command.RunAsync())];
        Thrown(Task.WhenAll(runs)).Should().BeOfType<ProcessStartException>();
        runs.Should().OnlyContain(run => run.IsCompleted);
        for (int i = 0; i < runs.Length; i++)
        {
            if (i % 4 == 1)
            {
                Thrown(runs[i]).Should().BeOfType<ProcessStartException>();
            }
            else
            {
                runs[i].Result.ExitCode.Should().Be(i);
            }
        }
    });

    [Fact]
    public void Failures_OfAsynchronousStarts_AreToldByTheTask() => Guard.Run(() =>
    {
        ProcessCommand missing = new("/no/such/program");
        ProcessEngine disposed = new();
        disposed.Dispose();
        Thrown(missing.RunAsync()).Should().BeOfType<ProcessStartException>();
        Thrown(TestPrograms.Quick("sleep", "1000000").PipeTo(missing).RunAsync())
            .Should().BeOfType<ProcessStartException>();
        Thrown(TestPrograms.Quick().RunAsync(disposed)).Should().BeOfType<ObjectDisposedException>();
        Thrown(missing.PipeTo(missing).RunAsync(disposed)).Should().BeOfType<ObjectDisposedException>();
    });

    private static void ReturnsBeforeItIsFree(Func<ProcessCommand, Task<int?>> run)
    {
        Eventually.Is(
            () =>
            {
                using BusyProgram program = new();
                Task<int?> exitCode = run(program.Command);
                program.Free();
                return Thrown(exitCode) is null && exitCode.Result == 7;
            },
            "the call returns, and the program is run once it is free");
    }

    private static bool IsCanceledBetween(Func<CancellationToken, Task> run)
    {
        using CancellationTokenSource source = new();
        Task task = run(source.Token);
        source.Cancel();
        return Thrown(task) is OperationCanceledException && task.IsCanceled;
    }

    private static Exception? Thrown(Task task)
    {
        try
        {
            task.GetAwaiter().GetResult();
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }
}
