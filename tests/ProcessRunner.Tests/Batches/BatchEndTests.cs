using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies that a stop of a batch that has all its results changes nothing.</summary>
public sealed class BatchEndTests
{
    private const int Batches = 50;

    private static readonly ProcessCommand s_command = new("any");

    // A report is under way while the batch ends, and holds its end up.
    [Fact]
    public void DisposalOfTheEngine_AfterTheLastResult_IsNoFailure() => Guard.Run(() =>
    {
        using ManualResetEventSlim isReported = new();
        using ProcessEngine engine = ProcessEngine.Simulate(_ => new SimulatedRun().Do(_ => isReported.Wait()));
        BatchResults? batch = null;
        BatchOptions options = new()
        {
            Engine = engine,
            ProgressInterval = TimeSpan.FromMilliseconds(1),
            Progress = new Handler(() =>
            {
                if (!isReported.IsSet)
                {
                    isReported.Set();
                    Eventually.Is(
                        () => batch!.Progress is { IsInputRead: true, Passed: 1, Running: 0 }, "the batch is ending");
                    engine.Dispose();
                }
            }),
        };
        batch = ProcessBatch.Enumerate([s_command], options);
        batch.Single().IsSuccess.Should().BeTrue();
        batch.StoppedBy.Should().Be(StopCause.None);
    });

    [Fact]
    public void Input_ThatHasBeenRead_IsNotCanceled() => Guard.Run(() =>
    {
        using ProcessEngine engine = ProcessEngine.Simulate(_ => new SimulatedRun());
        int canceled = 0;
        for (int i = 0; i < Batches; i++)
        {
            IAsyncEnumerable<ProcessCommand> input = InputAsync(() => Interlocked.Increment(ref canceled));
            AsyncBatchResults batch = ProcessBatch.EnumerateAsync(input, new BatchOptions { Engine = engine });
            batch.ToBlockingEnumerable().Count().Should().Be(1);
            batch.RequestStop();
        }

        canceled.Should().Be(0);
    });

    // Keeps its registration, as a source that outlives the enumeration may.
    private static async IAsyncEnumerable<ProcessCommand> InputAsync(
        Action canceled, [EnumeratorCancellation] CancellationToken token = default)
    {
        token.Register(canceled);
        await Task.Yield();
        yield return s_command;
    }

    private sealed class Handler(Action report) : IProgress<BatchProgress>
    {
        public void Report(BatchProgress value) => report();
    }
}
