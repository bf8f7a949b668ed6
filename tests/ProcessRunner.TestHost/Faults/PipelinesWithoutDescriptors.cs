using System;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies pipelines that find no free descriptor for their pipes. Their starts are retried for a while, unless the
/// time limit, the token or the end of the engine comes first.
/// </summary>
internal sealed class PipelinesWithoutDescriptors : IScenario
{
    private const int EMFILE = 24;

    // Each of the first attempts ends at its first refusal.
    private const int FewRefusals = 5;

    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    private static readonly ProcessPipeline s_pipeline = new ProcessCommand("seq", "1", "1000")
        .PipeTo(new ProcessCommand("cat"))
        .PipeTo(new ProcessCommand("tail", "-n", "1"));

    private int _refusals;

    public string Name => "pipelines-without-descriptors";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new();
        ExpectRightEnd(s_pipeline.Run(engine));
        string descriptors = OpenDescriptors.Describe();
        RunLater(() => s_pipeline.Run(engine));
        RunLater(() => s_pipeline.RunAsync(engine).GetAwaiter().GetResult());
        FailInTheEnd(() => s_pipeline.Run(engine));
        FailInTheEnd(() => s_pipeline.RunAsync(engine).GetAwaiter().GetResult());
        Cancel(engine);
        DisposeEngine();
        PassTheTimeLimit();
        Expect.Equal(descriptors, OpenDescriptors.Describe(), "descriptors");
        Expect.True(!NativeMethods.HasChildren, "no child is left");
        ExpectRightEnd(s_pipeline.Run(engine));
    }

    private static void ExpectRightEnd(PipelineResult result) =>
        Expect.Equal("1000\n", result.EnsureSuccess().StandardOutput.Text, "output");

    private static Exception? Thrown(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    }

    private void RunLater(Func<PipelineResult> run)
    {
        Refuse(refusal => refusal <= FewRefusals);
        ExpectRightEnd(run());
        FaultPoint.Decide = null;
        Expect.True(_refusals > FewRefusals, "it lacked descriptors");
    }

    private void FailInTheEnd(Func<PipelineResult> run)
    {
        Refuse(_ => true);
        ProcessStartException? failure = Thrown(() => run()) as ProcessStartException;
        Expect.Equal(ProcessStartStep.OutOfDescriptors, failure?.Step, "step");
        Expect.Equal(EMFILE, failure?.NativeErrorCode, "errno");
        Expect.True(_refusals > FewRefusals, "it was tried again");
    }

    private void Cancel(ProcessEngine engine)
    {
        using CancellationTokenSource source = new();
        Refuse(refusal =>
        {
            if (refusal == FewRefusals)
            {
                source.Cancel();
            }

            return true;
        });
        Exception? failure = Thrown(() => s_pipeline.RunAsync(engine, source.Token).GetAwaiter().GetResult());
        Expect.True(failure is OperationCanceledException, $"it is canceled between two attempts: {failure}");
        Expect.Equal(FewRefusals, _refusals, "refusals");
    }

    private void DisposeEngine()
    {
        ProcessEngine engine = new();
        Task? disposed = null;
        Refuse(refusal =>
        {
            if (refusal == FewRefusals)
            {
                disposed = engine.DisposeAsync().AsTask();
            }

            return true;
        });
        ProcessStartException? failure =
            Thrown(() => s_pipeline.RunAsync(engine).GetAwaiter().GetResult()) as ProcessStartException;
        Expect.Equal(ProcessStartStep.OutOfDescriptors, failure?.Step, "step");
        Expect.True(disposed?.Wait(s_patience) == true, "the engine ends between two attempts");
    }

    // The limit has ended the first stage before the start of the second stage, which is therefore not retried.
    private void PassTheTimeLimit()
    {
        int starts = 0;
        ProcessEngine? engine = null;
        using ProcessEngine traced = engine = new ProcessEngine(new ProcessEngineOptions
        {
            ReactorCount = 1,
            Trace = _ =>
            {
                if (++starts == 2)
                {
                    Expect.True(
                        SpinWait.SpinUntil(() => engine!.LiveChildren == 0, s_patience),
                        "the limit ends the first stage");
                    Refuse(_ => true);
                }
            },
        });
        ProcessPipeline pipeline = new ProcessCommand("sleep", "1000").PipeTo(new ProcessCommand("cat")) with
        {
            Timeout = TimeSpan.FromMilliseconds(100),
        };
        ProcessStartException? failure = Thrown(() => pipeline.Run(engine)) as ProcessStartException;
        Expect.Equal(ProcessStartStep.OutOfDescriptors, failure?.Step, "step");
        Expect.True(_refusals <= 2, $"the second stage has no time left for a further attempt: {_refusals} refusals");
    }

    private void Refuse(Func<int, bool> isRefused)
    {
        _refusals = 0;
        FaultPoint.Decide = call => call == "pipe2" && isRefused(Interlocked.Increment(ref _refusals)) ? EMFILE : 0;
    }
}
