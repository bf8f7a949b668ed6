using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Execution.Batches;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// Verifies that a batch that has ended leaves nothing with the tokens of its user, which may live on.
/// </summary>
public sealed class BatchTriggersTests : IDisposable
{
    private readonly CancellationTokenSource _first = new();
    private readonly CancellationTokenSource _second = new();
    private readonly BatchExecution _batch = new(_ => [], new BatchOptions(), CancellationToken.None);
    private readonly BatchTriggers _triggers = new();

    public void Dispose()
    {
        _triggers.Dispose();
        _batch.Dispose();
        _first.Dispose();
        _second.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Token_OfABatchThatRuns_StopsIt(bool isSecond)
    {
        Watch();
        (isSecond ? _second : _first).Cancel();
        _batch.StoppedBy.Should().Be(StopCause.CancellationToken);
        _triggers.Canceled.Should().Be((isSecond ? _second : _first).Token);
    }

    // The batch can end before its triggers are registered.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Tokens_OfABatchThatHasEnded_DoNotReachIt(bool endsFirst)
    {
        if (!endsFirst)
        {
            Watch();
        }

        _triggers.Dispose();
        if (endsFirst)
        {
            Watch();
        }

        _first.Cancel();
        _second.Cancel();
        _batch.StoppedBy.Should().Be(StopCause.None);
    }

    private void Watch() => _triggers.Watch(_batch, stopsOnInterrupt: false, _first.Token, _second.Token);
}
