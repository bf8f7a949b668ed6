using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Execution.Batches;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// Verifies the choice of the next command without clock or child: against a model, and in cases outside the model.
/// </summary>
public sealed class BatchScheduleTests
{
    private static readonly ProcessCommand s_command = TestPrograms.Quick();
    private static readonly Dictionary<string, int> s_noGroups = [];

    public static TheoryData<int> Seeds => [.. Enumerable.Range(1, 10)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void RandomSchedule_OfTenThousandSteps_DoesWhatTheModelDoes(int seed)
    {
        Random random = new(seed);
        int most = random.Next(1, 12);
        Dictionary<string, int> limits =
            Enumerable.Range(0, random.Next(4)).ToDictionary(n => $"g{n}", _ => random.Next(1, 6));
        BatchSchedule schedule = new(most, limits);
        ScheduleModel model = new(most, limits);
        int added = 0;
        int finished = 0;
        long now = 0;
        for (int step = 0; step < 10_000; step++)
        {
            now += random.Next(3);
            switch (random.Next(5))
            {
                case 0 or 1 when model.Waiting < 40:
                    BatchEntry fresh =
                        Entry(added++, random.Next(4) == 0 ? random.Next(1, 14) : 1, $"g{random.Next(5)}");
                    schedule.Add(fresh);
                    model.Add(fresh);
                    break;

                case 2 when model.Running.Count > 0:
                    finished += Release(schedule, model, random, now) ? 1 : 0;
                    break;

                default:
                    TakeFromBoth(schedule, model, limits, most, now);
                    break;
            }

            Holds(schedule.Waiting == model.Waiting && schedule.Running == model.Running.Count, "the model agrees");
        }

        // Every waiting command is taken in the end, and nothing is taken twice: the model would have thrown.
        while (model.Waiting + model.Running.Count > 0)
        {
            now = Math.Max(now, model.NextDue == long.MaxValue ? now : model.NextDue);
            while (TakeFromBoth(schedule, model, limits, most, now))
            {
            }

            Holds(model.Running.Count > 0, "each waiting command is started in the end");
            foreach (BatchEntry entry in model.Running.Keys.ToList())
            {
                model.Release(entry);
                schedule.Release(entry);
                finished++;
            }
        }

        finished.Should().Be(added);
        (schedule.Waiting, schedule.Running, schedule.NextDue).Should().Be((0, 0, long.MaxValue));
    }

    // Light commands arrive as fast as they end. The heavy command must not wait for a moment that never comes.
    [Theory]
    [InlineData(null)]
    [InlineData("group")]
    public void HeavyCommand_AmongLightOnesThatNeverEnd_IsTakenBeforeThoseBehindIt(string? group)
    {
        BatchSchedule schedule = new(4, new Dictionary<string, int> { ["group"] = 3 });
        Queue<BatchEntry> running = new();
        int added = 0;
        for (; added < 4; added++)
        {
            schedule.Add(Entry(added, 1, group));
        }

        BatchEntry heavy = Entry(added, 4, group);
        schedule.Add(heavy);
        bool isTaken = false;
        for (int step = 0; step < 20 && !isTaken; step++)
        {
            schedule.Add(Entry(++added, 1, group));
            while (!isTaken && schedule.Take(0) is BatchEntry entry)
            {
                running.Enqueue(entry);
                isTaken = entry == heavy;
                (!isTaken && entry.Index > heavy.Index).Should().BeFalse("none of its kind overtakes it");
            }

            if (!isTaken)
            {
                schedule.Release(running.Dequeue());
            }
        }

        isTaken.Should().BeTrue();
    }

    [Fact]
    public void FullGroup_DoesNotHoldUpTheOthers_AndGoesOnInItsOrder()
    {
        BatchSchedule schedule = new(10, new Dictionary<string, int> { ["db"] = 1 });
        BatchEntry[] entries = [.. Enumerable.Range(0, 6).Select(n => Entry(n, 1, n < 4 ? "db" : null))];
        Array.ForEach(entries, schedule.Add);
        schedule.Take(0).Should().BeSameAs(entries[0]);
        schedule.Take(0).Should().BeSameAs(entries[4]);
        schedule.Take(0).Should().BeSameAs(entries[5]);
        for (int i = 0; i < 3; i++)
        {
            schedule.Take(0).Should().BeNull();
            schedule.Release(entries[i]);
            schedule.Take(0).Should().BeSameAs(entries[i + 1]);
        }
    }

    [Fact]
    public void GroupWithoutALimit_IsNotLimited()
    {
        BatchSchedule schedule = new(3, new Dictionary<string, int> { ["other"] = 1 });
        for (int i = 0; i < 3; i++)
        {
            schedule.Add(Entry(i, 1, "free"));
        }

        Enumerable.Range(0, 3).Select(_ => schedule.Take(0)).Should().NotContainNulls();
    }

    [Fact]
    public void DelayedCommand_IsTakenAtItsTimeAndNotBefore_InItsOldPlace()
    {
        BatchSchedule schedule = new(1, s_noGroups);
        BatchEntry[] entries = [.. Enumerable.Range(0, 3).Select(n => Entry(n, 1, null))];
        Array.ForEach(entries, schedule.Add);
        schedule.Take(0).Should().BeSameAs(entries[0]);
        schedule.Release(entries[0]);
        schedule.AddLater(entries[0], due: 10);
        schedule.NextDue.Should().Be(10);
        schedule.Take(9).Should().BeSameAs(entries[1]);
        schedule.Release(entries[1]);
        schedule.Take(10).Should().BeSameAs(entries[0], "it is older than the third");
        schedule.Release(entries[0]);
        schedule.NextDue.Should().Be(long.MaxValue);
        schedule.Take(10).Should().BeSameAs(entries[2]);
    }

    [Fact]
    public void CommandThatIsAddedAgain_KeepsItsPlace()
    {
        BatchSchedule schedule = new(1, s_noGroups);
        BatchEntry[] entries = [Entry(0, 1, null), Entry(1, 1, null)];
        Array.ForEach(entries, schedule.Add);
        BatchEntry first = schedule.Take(0)!;
        schedule.Release(first);
        schedule.AddAgain(first);
        schedule.Take(0).Should().BeSameAs(first);
    }

    [Fact]
    public void Drop_LetsOneGoThatWaits_AndKeepsThoseThatRun()
    {
        BatchSchedule schedule = new(2, new Dictionary<string, int> { ["db"] = 1 });
        BatchEntry[] entries = [.. Enumerable.Range(0, 5).Select(n => Entry(n, 1, n < 3 ? "db" : null))];
        Array.ForEach(entries, schedule.Add);
        BatchEntry running = schedule.Take(0)!;
        BatchEntry late = schedule.Take(0)!;
        schedule.Take(0).Should().BeNull();
        schedule.Release(late);
        schedule.AddLater(late, due: 5);
        List<BatchEntry> dropped = [];
        while (schedule.Drop() is BatchEntry entry)
        {
            dropped.Add(entry);
        }

        dropped.Should().BeEquivalentTo(entries.Except([running]));
        (schedule.Waiting, schedule.Running, schedule.NextDue).Should().Be((0, 1, long.MaxValue));
        schedule.Take(100).Should().BeNull();
        schedule.Release(running);
        schedule.Running.Should().Be(0);
    }

    [Fact]
    public void Sums_OfTheLargestWeights_DoNotOverflow()
    {
        BatchSchedule schedule = new(int.MaxValue, s_noGroups);
        BatchEntry[] entries = [Entry(0, int.MaxValue, null), Entry(1, int.MaxValue, null), Entry(2, 1, null)];
        Array.ForEach(entries, schedule.Add);
        schedule.Take(0).Should().BeSameAs(entries[0]);
        schedule.Take(0).Should().BeNull();
        schedule.Release(entries[0]);
        schedule.Take(0).Should().BeSameAs(entries[1]);
    }

    [Fact]
    public void Sums_OfAGroupWithTheLargestLimit_DoNotOverflow()
    {
        BatchSchedule schedule = new(int.MaxValue, new Dictionary<string, int> { ["db"] = int.MaxValue });
        BatchEntry[] entries = [Entry(0, int.MaxValue - 1, "db"), Entry(1, 5, "db"), Entry(2, 1, null)];
        Array.ForEach(entries, schedule.Add);
        schedule.Take(0).Should().BeSameAs(entries[0]);
        schedule.Take(0).Should().BeSameAs(entries[2], "the group is full, and so the second one stands aside");
    }

    private static bool TakeFromBoth(
        BatchSchedule schedule, ScheduleModel model, Dictionary<string, int> limits, int most, long now)
    {
        Holds(schedule.NextDue == model.NextDue, "the same retry is due");
        BatchEntry? expected = model.Take(now);
        BatchEntry? taken = schedule.Take(now);
        Holds(taken == expected, $"number {expected?.Index} is next, not {taken?.Index}");
        if (taken is null)
        {
            return false;
        }

        Holds(taken.Slot == model.Running[taken] && taken.Slot < most, "the slot is the smallest free number");
        Holds(model.Running.Values.Distinct().Count() == model.Running.Count, "no slot is taken twice");
        Holds(model.Used <= most, "the weights fit");
        Holds(limits.All(limit => model.UsedBy(limit.Key, limit.Value) <= limit.Value), "the groups keep their limits");
        return true;
    }

    // Returns true if the command is finished for good.
    private static bool Release(BatchSchedule schedule, ScheduleModel model, Random random, long now)
    {
        BatchEntry entry = model.Running.Keys.ElementAt(random.Next(model.Running.Count));
        model.Release(entry);
        schedule.Release(entry);
        switch (random.Next(4))
        {
            case 0:
                long due = now + random.Next(20);
                model.AddLater(entry, due);
                schedule.AddLater(entry, due);
                return false;

            case 1:
                model.Add(entry);
                schedule.AddAgain(entry);
                return false;

            default:
                return true;
        }
    }

    // An assertion of the assertion library takes a hundred times as long, and there are a million assertions.
    private static void Holds(bool condition, string fact)
    {
        if (!condition)
        {
            throw new InvalidOperationException($"It is not true that {fact}.");
        }
    }

    private static BatchEntry Entry(long index, int slots, string? group) =>
        new(null!, new BatchItem(s_command) { Slots = slots, Group = group }, new BatchRetry(), index, repetition: 0);
}
