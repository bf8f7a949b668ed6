using System;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams;

/// <summary>Verifies pipelines that are started and waited for apart.</summary>
public sealed class RunningPipelineTests
{
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");

    [Fact]
    public void Input_ByHandAndLiveLines_GoThroughAllStages() => Guard.Run(() =>
    {
        ProcessPipeline pipeline =
            (TestPrograms.Quick("stdin") with { StandardInput = InputSource.Pipe })
            | TestPrograms.Quick("stdin")
            | (TestPrograms.Quick("stdin") with { StandardOutput = OutputTarget.Live() });
        using RunningPipeline running = pipeline.Start();
        running.Stages.Should().HaveCount(3);
        for (int i = 0; i < 3; i++)
        {
            running.Stages[0].StandardInput.Write(System.Text.Encoding.UTF8.GetBytes($"{i}\n"));
            running.Stages[2].WaitForLine(line => line.Content == $"{i}", Timeout.InfiniteTimeSpan);
        }

        running.IsRunning.Should().BeTrue();
        running.TryWait(TimeSpan.Zero, out _).Should().BeFalse();
        running.Stages[0].StandardInput.Close();
        PipelineResult result = running.Wait();
        result.IsSuccess.Should().BeTrue();
        running.TryWait(TimeSpan.Zero, out PipelineResult? again).Should().BeTrue();
        again!.Stages.Should().Equal(result.Stages);
        running.WaitAsync().Result.Stages.Should().Equal(result.Stages);
        running.IsRunning.Should().BeFalse();
    });

    [Fact]
    public void Waits_CanceledOrLimited_LeaveTheStagesAlone() => Guard.Run(() =>
    {
        using RunningPipeline running = (s_sleeper | s_sleeper).Start();
        using CancellationTokenSource source = new();
        Task<PipelineResult> wait = running.WaitAsync(source.Token);
        source.Cancel();
        FluentActions.Invoking(() => wait.GetAwaiter().GetResult()).Should().Throw<OperationCanceledException>();
        running.TryWait(TimeSpan.FromMilliseconds(10), out _).Should().BeFalse();
        running.Stages.Should().OnlyContain(stage => stage.IsRunning);
    });

    [Theory]
    [InlineData("stop")]
    [InlineData("stop-async")]
    [InlineData("request")]
    [InlineData("kill")]
    [InlineData("dispose")]
    [InlineData("dispose-async")]
    public void Ends_OfARunningPipeline_LeaveNoStage(string end) => Guard.Run(() =>
    {
        RunningPipeline running = (s_sleeper | s_sleeper | s_sleeper).Start();
        Task ended = end switch
        {
            "stop" => Task.FromResult(running.Stop()),
            "stop-async" => running.StopAsync(),
            "request" => Done(running.RequestStop),
            "kill" => Done(running.Kill),
            "dispose" => Done(running.Dispose),
            _ => running.DisposeAsync().AsTask(),
        };
        ended.Wait();
        PipelineResult result = running.Wait();
        StopCause cause = end.StartsWith("dispose", StringComparison.Ordinal) ? StopCause.Dispose : StopCause.Request;
        result.Stages.Should().OnlyContain(stage => stage.StoppedBy == cause);
        running.DisposeAsync().AsTask().Wait();
        running.Dispose();
    });

    [Fact]
    public void Start_OfAStageThatIsMissing_KillsTheOthersAndThrows() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        Action start = () => (s_sleeper | new ProcessCommand("/no/such/program") | s_sleeper).Start(engine);
        start.Should().ThrowExactly<ProcessStartException>();
        engine.LiveChildren.Should().Be(0);
    });

    [Theory]
    [InlineData("wait-async")]
    [InlineData("stage")]
    [InlineData("dispose")]
    public void Failure_OfACallback_IsNeverToldAsUnobserved(string way) => Guard.Run(() =>
    {
        string mark = Guid.NewGuid().ToString();
        ConcurrentQueue<Exception> unobserved = new();
        void Note(object? sender, UnobservedTaskExceptionEventArgs told) => unobserved.Enqueue(told.Exception);
        TaskScheduler.UnobservedTaskException += Note;
        try
        {
            WeakReference running = RunWithFailure(way, mark);
            Eventually.Is(() => IsCollected(running), "nothing keeps the pipeline");
            GC.WaitForPendingFinalizers();
            unobserved.Should().NotContain(exception => exception.ToString().Contains(mark));
        }
        finally
        {
            TaskScheduler.UnobservedTaskException -= Note;
        }
    });

    [Fact]
    public void Run_InterruptedInTheStartOfAStage_LeavesNothingWithItsToken() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        WeakReference pipeline = RunInterrupted(source.Token);
        Eventually.Is(() => IsCollected(pipeline), "the token does not keep the pipeline");
        GC.KeepAlive(source);
    });

    [Fact]
    public void Timeout_OfThePipeline_CountsFromItsStart() => Guard.Run(() =>
    {
        ProcessPipeline pipeline = (s_sleeper | s_sleeper) with { Timeout = TimeSpan.FromMilliseconds(50) };
        using RunningPipeline running = pipeline.Start();
        running.Wait().Stages.Should().OnlyContain(stage => stage.Outcome == ProcessOutcome.TimedOut);
    });

    [Fact]
    public void Stops_RacingWithWaitsAndEnds_AlwaysEnd() => Guard.Run(() =>
    {
        ProcessPipeline pipeline = TestPrograms.Quick("print", "x") | TestPrograms.Quick("stdin");
        for (int i = 0; i < 300; i++)
        {
            using RunningPipeline running = pipeline.Start();
            Thread stopper = new(running.Kill);
            stopper.Start();
            Task<PipelineResult> wait = running.WaitAsync();
            running.Wait().Stages.Should().HaveCount(2);
            ((IAsyncResult)wait).AsyncWaitHandle.WaitOne();
            wait.IsCompletedSuccessfully.Should().BeTrue();
            stopper.Join();
        }
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference RunWithFailure(string way, string mark)
    {
        using ProcessEngine engine = new();
        ProcessCommand last = TestPrograms.Quick("stdin") with
        {
            StandardOutput = OutputTarget.ToBytes(_ => throw new FormatException(mark)),
        };
        using RunningPipeline running = (TestPrograms.Quick("print", "x") | last).Start(engine);
        Action end = way switch
        {
            "wait-async" => () => running.WaitAsync().GetAwaiter().GetResult(),
            "stage" => () => running.Stages[1].Wait(),
            _ => running.Dispose,
        };
        Eventually.Is(() => !running.IsRunning, "the callback has thrown, and the stages end");
        string? thrown = Record.Exception(end)?.Message;
        thrown.Should().Be(way == "dispose" ? null : mark);
        return new WeakReference(running);
    }

    // The attempts go on for a second: the thread waits for them.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference RunInterrupted(CancellationToken token)
    {
        using ProcessEngine engine = ProcessEngine.Simulate(command =>
        {
            if (command.FileName == "first")
            {
                return new SimulatedRun().Pause(Timeout.InfiniteTimeSpan);
            }

            Thread.CurrentThread.Interrupt();
            return SimulatedRun.FailStart(ProcessStartStep.OutOfResources);
        });
        ProcessPipeline pipeline = new ProcessCommand("first") | new ProcessCommand("second");
        pipeline.Invoking(one => one.Run(engine, token)).Should().Throw<ThreadInterruptedException>();
        engine.LiveChildren.Should().Be(0);
        return new WeakReference(pipeline);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool IsCollected(WeakReference reference)
    {
        GC.Collect();
        return !reference.IsAlive;
    }

    private static Task Done(Action action)
    {
        action();
        return Task.CompletedTask;
    }
}
