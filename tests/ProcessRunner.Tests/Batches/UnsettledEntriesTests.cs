using System;
using FluentAssertions;
using ProcessRunner.Execution.Batches;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies the queue of the attempts that have ended.</summary>
public sealed class UnsettledEntriesTests
{
    // A command that is run again ends again.
    [Fact]
    public void Entry_ThatComesAgain_BringsNoneThatWasSettled()
    {
        BatchEntry again = NewEntry();
        BatchEntry settled = NewEntry();
        UnsettledEntries unsettled = new();
        unsettled.Add(again, new InvalidOperationException());
        unsettled.Add(settled, new InvalidOperationException());
        unsettled.RemoveFirst();
        unsettled.RemoveFirst();
        unsettled.Add(again, new InvalidOperationException());
        unsettled.RemoveFirst();
        (unsettled.First, unsettled.Count).Should().Be((null, 0));
        again.Outcome.Should().BeNull("its result is not kept twice");
    }

    private static BatchEntry NewEntry() =>
        new(batch: null!, new BatchItem(new ProcessCommand("program")), new BatchRetry(), index: 0, repetition: 0);
}
