using System.Threading;
using FluentAssertions;
using ProcessRunner.Execution.Batches;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Tests that a reader that sleeps is woken for a result, and no other reader.</summary>
public sealed class ResultQueueTests
{
    private readonly ResultQueue _queue = new(taken: static () => { });

    [Fact]
    public void Write_ForAReaderThatBlocks_SaysSo_AndWakeGivesItTheResult() => Guard.Run(() =>
    {
        BatchResult? read = null;
        Thread reader = new(() => read = _queue.Read()) { IsBackground = true };
        reader.Start();
        Eventually.Is(() => reader.ThreadState.HasFlag(ThreadState.WaitSleepJoin), "the reader sleeps");
        BatchResult result = NewResult();
        _queue.Write(result).Should().BeTrue();
        _queue.Wake();
        reader.Join();
        read.Should().BeSameAs(result);
        _queue.Write(NewResult()).Should().BeFalse("the reader is awake");
    });

    [Fact]
    public void Write_ForAReaderThatIsToBeCalled_SaysSo_AndWakeCallsItOnce()
    {
        int calls = 0;
        _queue.WhenReadable(() => calls++);
        _queue.Write(NewResult()).Should().BeTrue();
        calls.Should().Be(0);
        _queue.Wake();
        _queue.Wake();
        calls.Should().Be(1);
        _queue.Write(NewResult()).Should().BeFalse("no reader waits");
    }

    private static BatchResult NewResult() => new()
    {
        Item = new BatchItem(new ProcessCommand("program")),
        Index = 0,
        Repetition = 0,
        Result = null,
        Exception = null,
        EarlierAttempts = [],
        Slot = 0,
    };
}
