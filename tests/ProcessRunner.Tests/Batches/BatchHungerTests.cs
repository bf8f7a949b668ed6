using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// Verifies that free slots get the rest of the input, regardless of how many waiting commands may not start yet.
/// </summary>
public sealed class BatchHungerTests
{
    private static readonly ProcessCommand s_true = TestPrograms.Quick();
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");
    private static readonly Dictionary<string, int> s_oneOfTheGroup = new() { ["db"] = 1 };

    [Theory]
    [InlineData(600)]
    [InlineData(20_000)]
    public void CommandsOfAFullGroup_InAnyNumber_DoNotKeepTheOthersFromTheFreeSlots(int waiting) => Guard.Run(
        TimeSpan.FromSeconds(100),
        () =>
        {
            BatchItem sleeper = new(s_sleeper) { Group = "db" };
            IEnumerable<BatchItem> input =
                Enumerable.Repeat(sleeper, waiting).Concat(Enumerable.Repeat(new BatchItem(s_true), 20));
            BatchResults batch =
                ProcessBatch.Enumerate(input, new BatchOptions { MaxConcurrency = 8, GroupLimits = s_oneOfTheGroup });
            batch.Take(20).Should().OnlyContain(result => result.IsSuccess);
        });

    // The commands end so fast that the reading thread sleeps again and again while slots are free.
    [Fact]
    public void CommandsOfABusyGroup_AreNotRunBeforeTheOthers() => Guard.Run(() =>
    {
        BatchItem ofTheGroup = new(s_true) { Group = "db" };
        IEnumerable<BatchItem> input =
            Enumerable.Repeat(ofTheGroup, 3_000).Concat(Enumerable.Repeat(new BatchItem(s_sleeper), 7));
        BatchResults batch =
            ProcessBatch.Enumerate(input, new BatchOptions { MaxConcurrency = 8, GroupLimits = s_oneOfTheGroup });
        int ofTheGroupRun = 0;
        foreach (BatchResult _ in batch)
        {
            ofTheGroupRun++;
            if (batch.Progress.Running >= 7)
            {
                break;
            }
        }

        ofTheGroupRun.Should().BeLessThan(1_500);
    });
}
