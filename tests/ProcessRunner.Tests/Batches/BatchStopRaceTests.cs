using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies a stop at any moment, from another thread, many times.</summary>
[Collection(Alone.Name)]
public sealed class BatchStopRaceTests
{
    private static readonly int s_rounds = Crowd.Of(600);

    private static readonly ProcessCommand s_true = TestPrograms.Quick();
    private static readonly ProcessCommand s_false = TestPrograms.Quick("return", "1");
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");
    private static readonly ProcessCommand s_missing = new("/no/such/program");

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Stop_AtAnyMoment_EndsTheBatchAndNamesTheStopper(
        bool isAsync) => Guard.Run(() =>
    {
        s_true.Run();
        Leftovers leftovers = new();
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 2 });
        Barrier barrier = new(2);
        BatchRun batch = null!;
        CancellationTokenSource source = new();
        Thread stopper = new(() =>
        {
            for (int round = 0; round < s_rounds; round++)
            {
                barrier.SignalAndWait();
                Thread.SpinWait(round * 7919 % 60_000);
                if (round % 2 == 0)
                {
                    batch.RequestStop();
                }
                else
                {
                    source.Cancel();
                }

                barrier.SignalAndWait();
            }
        })
        {
            IsBackground = true,
        };
        stopper.Start();
        for (int round = 0; round < s_rounds; round++)
        {
            BatchOptions options = new()
            {
                Engine = engine,
                MaxConcurrency = 1 + (round % 4),
                OnFirstFailure = (BatchFailureAction)(round / 4 % 2 * 2),
                Retry = new BatchRetry { Count = round / 2 % 2 },
            };
            batch = isAsync
                ? ProcessBatch.EnumerateAsync(Commands(round), options, source.Token)
                : ProcessBatch.Enumerate(Commands(round), options, source.Token);
            CancellationToken token = source.Token;
            barrier.SignalAndWait();
            int mayLeaveAt = round % 5 == 4 ? 2 : int.MaxValue;
            (int count, Exception? exception) = Enumerate(batch, mayLeaveAt);
            long started = engine.StartedChildren;
            int live = engine.LiveChildren;
            StopCause cause = batch.StoppedBy;
            barrier.SignalAndWait();
            live.Should().Be(0);
            batch.Progress.Running.Should().Be(0);
            engine.StartedChildren.Should().Be(started, "nothing is started after the end");
            batch.StoppedBy.Should().Be(cause, "the first cause stays");
            Type? expected = cause == StopCause.CancellationToken && count < mayLeaveAt
                ? typeof(OperationCanceledException)
                : null;
            (exception?.GetType()).Should().Be(expected, $"{cause} {exception}");
            if (source.IsCancellationRequested)
            {
                source.Dispose();
                source = new CancellationTokenSource();
            }
        }

        stopper.Join();
        source.Dispose();
        Leftovers.OfChildrenAreNone(engine);
        engine.Dispose();
        leftovers.OfDescriptorsAreNone();
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void EngineThatIsDisposedAtAnyMoment_EndsTheBatch() => Guard.Run(() =>
    {
        s_true.Run();
        Leftovers leftovers = new();
        for (int round = 0; round < 150; round++)
        {
            ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 2 });
            BatchResults batch = ProcessBatch.Enumerate(
                Enumerable.Repeat(s_true, int.MaxValue),
                new BatchOptions { Engine = engine, MaxConcurrency = 1 + (round % 4) });
            Thread disposer = new(() =>
            {
                Thread.SpinWait(round * 7919 % 300_000);
                engine.Dispose();
            });
            disposer.Start();
            (int _, Exception? exception) = Enumerate(batch, int.MaxValue);
            disposer.Join();
            exception.Should().BeOfType<ObjectDisposedException>();
            engine.LiveChildren.Should().Be(0);
        }

        ProcFs.Children.Should().BeEmpty();
        leftovers.OfDescriptorsAreNone();
    });

    private static IEnumerable<ProcessCommand> Commands(int round)
    {
        for (int i = 0; i < 8; i++)
        {
            yield return (round + i) switch
            {
                int n when n % 7 == 6 => s_sleeper,
                int n when n % 11 == 10 => s_missing,
                int n when n % 5 == 4 => s_false,
                _ => s_true,
            };
        }

        // The enumeration has no end before the stop.
        for (int i = 0; ; i++)
        {
            yield return s_sleeper;
        }
    }

    private static (int Count, Exception? Exception) Enumerate(BatchRun batch, int mayLeaveAt)
    {
        int count = 0;
        try
        {
            if (batch is AsyncBatchResults async)
            {
                EnumerateAsync(async).GetAwaiter().GetResult();
            }
            else
            {
                foreach (BatchResult _ in (BatchResults)batch)
                {
                    if (++count == mayLeaveAt)
                    {
                        break;
                    }
                }
            }
        }
        catch (Exception exception)
        {
            return (count, exception);
        }

        return (count, null);

        async Task EnumerateAsync(AsyncBatchResults results)
        {
            await foreach (BatchResult _ in results)
            {
                if (++count == mayLeaveAt)
                {
                    break;
                }
            }
        }
    }
}
