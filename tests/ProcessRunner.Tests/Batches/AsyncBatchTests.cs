using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies the steps of an asynchronous batch one by one.</summary>
public sealed class AsyncBatchTests
{
    private static readonly ProcessCommand s_true = TestPrograms.Quick();

    [Fact]
    public void FirstStep_ThatCannotBegin_TellsSoByItsTask() => Guard.Run(() =>
    {
        ProcessEngine engine = new();
        engine.Dispose();
        IAsyncEnumerator<BatchResult> results =
            ProcessBatch.EnumerateAsync([s_true], new BatchOptions { Engine = engine }).GetAsyncEnumerator();
        Task<bool> first = results.MoveNextAsync().AsTask();
        first.IsFaulted.Should().BeTrue();
        first.Exception!.InnerException.Should().BeOfType<ObjectDisposedException>();
        Await(results.MoveNextAsync()).Should().BeFalse();
        results.DisposeAsync().AsTask().GetAwaiter().GetResult();
    });

    [Fact]
    public void SecondEnumeration_IsRefusedByItsTask() => Guard.Run(() =>
    {
        AsyncBatchResults batch = ProcessBatch.EnumerateAsync([s_true]);
        IAsyncEnumerator<BatchResult> results = batch.GetAsyncEnumerator();
        Await(results.MoveNextAsync()).Should().BeTrue();
        Task<bool> other = batch.GetAsyncEnumerator().MoveNextAsync().AsTask();
        other.IsFaulted.Should().BeTrue();
        other.Exception!.InnerException.Should().BeOfType<InvalidOperationException>();
        Await(results.MoveNextAsync()).Should().BeFalse();
        Await(results.MoveNextAsync()).Should().BeFalse();
    });

    [Fact]
    public void Enumeration_CanceledWhileItWaits_YieldsWhatIsKnownAndIsCanceled() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        AsyncBatchResults batch = ProcessBatch.EnumerateAsync([s_true, TestPrograms.Quick("sleep", "1000000")]);
        IAsyncEnumerator<BatchResult> results = batch.GetAsyncEnumerator(source.Token);
        Await(results.MoveNextAsync()).Should().BeTrue();
        results.Current.IsSuccess.Should().BeTrue();
        Task<bool> second = results.MoveNextAsync().AsTask();
        second.IsCompleted.Should().BeFalse();
        Eventually.Is(() => batch.Progress is { IsInputRead: true, Queued: 0 }, "the second one runs");
        source.Cancel();
        second.GetAwaiter().GetResult().Should().BeTrue();
        results.Current.Result!.Outcome.Should().Be(ProcessOutcome.Canceled);
        Task<bool> last = results.MoveNextAsync().AsTask();
        Action end = () => last.GetAwaiter().GetResult();
        end.Should().Throw<OperationCanceledException>().Which.CancellationToken.Should().Be(source.Token);
        last.IsCanceled.Should().BeTrue();
        batch.Progress.Running.Should().Be(0);
    });

    private static bool Await(ValueTask<bool> step) => step.AsTask().GetAwaiter().GetResult();
}
