using FluentAssertions;
using ProcessRunner.Execution.Batches;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies that a stop reaches each running command while others end.</summary>
public sealed class RunningEntriesTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Stop_DuringWhichAnotherEnds_ReachesAllThatStillRun(int ended)
    {
        BatchEntry[] entries = [NewEntry(), NewEntry(), NewEntry(), NewEntry()];
        RunningEntries running = new();
        foreach (BatchEntry entry in entries)
        {
            running.Reserve();
            running.Add(entry);
        }

        running.TellAll();
        running.TellNext().Should().BeSameAs(entries[0]);
        running.TellNext().Should().BeSameAs(entries[1]);
        running.Remove(entries[ended]);
        BatchEntry?[] told = [running.TellNext(), running.TellNext()];
        told.Should().Contain(entries[3]).And.Contain(ended == 2 ? null : entries[2]);
        running.TellNext().Should().BeNull();
    }

    private static BatchEntry NewEntry() =>
        new(batch: null!, new BatchItem(new ProcessCommand("program")), new BatchRetry(), index: 0, repetition: 0);
}
