using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// Verifies the input of a batch: it is read lazily, on one thread, and may fail, block or never end.
/// </summary>
public sealed class BatchInputTests
{
    private static readonly ProcessCommand s_true = TestPrograms.Quick();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void InputThatThrowsHalfWay_YieldsTheResultsAndThenThrows(bool isAsync) => Guard.Run(() =>
    {
        List<BatchResult> results = [];
        Action enumerate = () =>
        {
            foreach (BatchResult result in isAsync
                ? ProcessBatch.EnumerateAsync(FiveThenThrowAsync()).ToBlockingEnumerable()
                : ProcessBatch.Enumerate(FiveThenThrow()))
            {
                results.Add(result);
            }
        };
        enumerate.Should().ThrowExactly<NotFiniteNumberException>();
        results.Select(result => result.Index).Order().Should().Equal(0, 1, 2, 3, 4);
        results.Should().OnlyContain(result => result.IsSuccess);
    });

    [Fact]
    public void NullAmongTheCommands_IsAnArgumentExceptionAfterThoseBefore() => Guard.Run(() =>
    {
        int count = 0;
        Action commands =
            () => count += ProcessBatch
                .Enumerate((ProcessCommand[])[s_true, null!, s_true]).Select(_ => ++count).Count();
        commands.Should().Throw<ArgumentException>();
        count.Should().Be(1);
        Action items = () => _ = ProcessBatch.Enumerate((BatchItem[])[new(s_true), null!]).Count();
        items.Should().Throw<ArgumentException>().WithMessage("*index 1*");
        Action longest = () => _ = ProcessBatch.Enumerate(
            (BatchItem[])[new(s_true), null!], new BatchOptions { Order = BatchOrder.LongestFirst }).Count();
        longest.Should().Throw<ArgumentException>();
    });

    [Fact]
    public void NullInput_IsRefusedAtOnce()
    {
        FluentActions.Invoking(() => ProcessBatch.Enumerate((ProcessCommand[])null!))
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => ProcessBatch.Enumerate((BatchItem[])null!))
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => ProcessBatch.EnumerateAsync((ProcessCommand[])null!))
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => ProcessBatch.EnumerateAsync((BatchItem[])null!))
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => ProcessBatch.EnumerateAsync((IAsyncEnumerable<ProcessCommand>)null!))
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => ProcessBatch.EnumerateAsync((IAsyncEnumerable<BatchItem>)null!))
            .Should().ThrowExactly<ArgumentNullException>();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(int.MaxValue)]
    public void EmptyInput_EndsAtOnce_HoweverOftenItIsRepeated(
        int repeatCount) => Guard.Run(() =>
    {
        BatchOptions options = new() { RepeatCount = repeatCount, RepeatFor = TimeSpan.FromHours(1) };
        BatchResults batch = ProcessBatch.Enumerate((ProcessCommand[])[], options);
        batch.Should().BeEmpty();
        (batch.StoppedBy, batch.Progress.IsInputRead).Should().Be((StopCause.None, true));
        ProcessBatch.EnumerateAsync((ProcessCommand[])[], options).ToBlockingEnumerable().Should().BeEmpty();
    });

    [Fact]
    public void InputOfAMillion_IsReadNoFurtherThanItIsNeeded() => Guard.Run(() =>
    {
        const int Slots = 4;
        int read = 0;
        BatchResults batch = ProcessBatch.Enumerate(
            Enumerable.Range(0, 1_000_000).Select(_ =>
            {
                Interlocked.Increment(ref read);
                return s_true;
            }),
            new BatchOptions { MaxConcurrency = Slots });
        int taken = 0;
        int furthest = 0;
        foreach (BatchResult _ in batch)
        {
            taken++;
            furthest = Math.Max(furthest, Volatile.Read(ref read) - taken);
            if (taken == 1)
            {
                // The batch advances this far while nothing reads its results.
                Eventually.Is(
                    () => batch.Progress is { Running: 0, Passed: > Slots }, "the batch waits for its reader");
            }

            if (taken == 1_200)
            {
                break;
            }
        }

        // Read ahead, waiting for the reader of the results, and running or about to start.
        furthest.Should().BeLessThan(512 + 64 + (3 * Slots) + 2);
    });

    [Fact]
    public void SlowInput_IsRunAsItComes() => Guard.Run(() =>
    {
        using SemaphoreSlim permits = new(1);
        int taken = 0;
        BatchOptions eight = new() { MaxConcurrency = 8 };
        foreach (BatchResult result in ProcessBatch.Enumerate(OneAPermit(permits), eight))
        {
            result.IsSuccess.Should().BeTrue();
            if (++taken == 20)
            {
                break;
            }

            permits.Release();
        }

        taken.Should().Be(20);
        permits.Release(5);
    });

    // An asynchronous input that ends by its token has done its duty: the stop decides which exception is thrown.
    [Theory]
    [InlineData(StopCause.Request)]
    [InlineData(StopCause.BatchTimeout)]
    [InlineData(StopCause.BatchFailure)]
    [InlineData(StopCause.CancellationToken)]
    [InlineData(StopCause.Dispose)]
    public void AsyncInputThatHonoursItsToken_IsCanceledAndDisposed_AndAddsNoException(
        StopCause cause) => Guard.Run(() =>
    {
        for (int round = 0; round < 20; round++)
        {
            using ProcessEngine engine = new();
            using CancellationTokenSource source = new();
            using ManualResetEventSlim isOver = new(initialState: true);
            AsyncBatchResults batch = ProcessBatch.EnumerateAsync(
                UntilCanceledAsync(
                    isOver, cause == StopCause.BatchFailure ? TestPrograms.Quick("return", "1") : s_true),
                new BatchOptions
                {
                    Engine = engine,
                    MaxConcurrency = 4,
                    OnFirstFailure = BatchFailureAction.StopRunning,
                    Timeout = cause == StopCause.BatchTimeout
                        ? TimeSpan.FromMilliseconds(50)
                        : Timeout.InfiniteTimeSpan,
                },
                source.Token);
            Exception? exception = null;
            try
            {
                foreach (BatchResult result in batch.ToBlockingEnumerable())
                {
                    Eventually.Is(
                        () => engine.LiveChildren == 1 || batch.StoppedBy != StopCause.None, "the sleeper runs");
                    if (cause == StopCause.Request)
                    {
                        batch.RequestStop();
                    }
                    else if (cause == StopCause.CancellationToken)
                    {
                        source.Cancel();
                    }
                    else if (cause == StopCause.Dispose)
                    {
                        break;
                    }
                }
            }
            catch (Exception caught)
            {
                exception = caught;
            }

            batch.StoppedBy.Should().Be(cause);
            (exception is OperationCanceledException canceled && canceled.CancellationToken != source.Token)
                .Should().BeFalse("the token of the input stays inside the batch");
            (exception?.GetType()).Should().Be(
                cause == StopCause.CancellationToken ? typeof(OperationCanceledException) : null, $"{exception}");
            isOver.Wait(TimeSpan.FromSeconds(60)).Should().BeTrue();
        }
    });

    // An input's reaction to the cancellation is user code, too.
    [Fact]
    public void AsyncInputWhoseCancellationThrows_IsNoEndOfTheProgram() => Guard.Run(() =>
    {
        using ManualResetEventSlim wasCalled = new();
        AsyncBatchResults batch = ProcessBatch.EnumerateAsync(ThrowsWhenCanceledAsync(wasCalled));
        FluentActions.Invoking(() =>
        {
            foreach (BatchResult _ in batch.ToBlockingEnumerable())
            {
                batch.RequestStop();
            }
        }).Should().NotThrow<OperationCanceledException>();
        wasCalled.Wait(TimeSpan.FromSeconds(60)).Should().BeTrue();
        s_true.Run().IsSuccess.Should().BeTrue();
    });

    [Fact]
    public void AsyncInput_OfAChannel_RunsToItsEnd() => Guard.Run(() =>
    {
        Channel<ProcessCommand> channel = Channel.CreateUnbounded<ProcessCommand>();
        int count = 0;
        channel.Writer.TryWrite(s_true).Should().BeTrue();
        foreach (BatchResult result in
            ProcessBatch.EnumerateAsync(channel.Reader.ReadAllAsync()).ToBlockingEnumerable())
        {
            result.Index.Should().Be(count);
            if (++count == 10)
            {
                channel.Writer.Complete();
            }
            else
            {
                channel.Writer.TryWrite(s_true).Should().BeTrue();
            }
        }

        count.Should().Be(10);
    });

    // The input stands between two commands when the loop is left, as that of a foreach would.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void LeavingTheLoop_EndsTheCodeOfTheInputFirst(bool isAsync) => Guard.Run(() =>
    {
        using SemaphoreSlim isLeft = new(0);
        bool hasEnded = false;
        IEnumerable<ProcessCommand> input = Endless(() =>
        {
            // This takes longer than the end of the rest of the batch.
            isLeft.Wait(TimeSpan.FromMilliseconds(300));
            Volatile.Write(ref hasEnded, true);
        });
        foreach (BatchResult _ in isAsync
            ? ProcessBatch.EnumerateAsync(input).ToBlockingEnumerable()
            : ProcessBatch.Enumerate(input))
        {
            break;
        }

        Volatile.Read(ref hasEnded).Should().BeTrue();
    });

    [Fact]
    public void ExceptionOfTheCodeThatEndsTheInput_IsThrownAfterAStop() => Guard.Run(() =>
    {
        BatchResults batch = ProcessBatch.Enumerate(Endless(() => throw new NotFiniteNumberException()));
        FluentActions.Invoking(() =>
        {
            foreach (BatchResult _ in batch)
            {
                batch.StopStarting();
            }
        }).Should().ThrowExactly<NotFiniteNumberException>();
    });

    private static IEnumerable<ProcessCommand> Endless(Action atTheEnd)
    {
        try
        {
            while (true)
            {
                yield return s_true;
            }
        }
        finally
        {
            atTheEnd();
        }
    }

    private static IEnumerable<ProcessCommand> FiveThenThrow()
    {
        for (int i = 0; i < 5; i++)
        {
            yield return s_true;
        }

        throw new NotFiniteNumberException();
    }

    private static async IAsyncEnumerable<ProcessCommand> FiveThenThrowAsync()
    {
        foreach (ProcessCommand command in FiveThenThrow())
        {
            await Task.Yield();
            yield return command;
        }
    }

    private static IEnumerable<ProcessCommand> OneAPermit(SemaphoreSlim permits)
    {
        while (true)
        {
            permits.Wait();
            yield return s_true;
        }
    }

    // The limit of a batch can pass before its input has begun.
    private static async IAsyncEnumerable<BatchItem> UntilCanceledAsync(
        ManualResetEventSlim isOver,
        ProcessCommand first,
        [EnumeratorCancellation] CancellationToken token = default)
    {
        isOver.Reset();
        try
        {
            // Some systems cannot ask it to end, and the test is not about the grace.
            yield return new BatchItem(TestPrograms.Quick("sleep", "1000000") with { StopGrace = TimeSpan.Zero });
            yield return new BatchItem(first);
            await Task.Delay(Timeout.Infinite, token);
        }
        finally
        {
            isOver.Set();
        }
    }

    private static async IAsyncEnumerable<ProcessCommand> ThrowsWhenCanceledAsync(
        ManualResetEventSlim wasCalled, [EnumeratorCancellation] CancellationToken token = default)
    {
        yield return s_true;
        TaskCompletionSource source = new(TaskCreationOptions.RunContinuationsAsynchronously);
        await using CancellationTokenRegistration registration = token.Register(() =>
        {
            wasCalled.Set();
            source.SetResult();
            throw new NotFiniteNumberException();
        });
        await source.Task;
    }
}
