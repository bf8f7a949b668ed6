using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies weights, groups and slots of live children. The children record their own begin and end.</summary>
public sealed class BatchLimitTests
{
    // The child records its slot between its two times.
    private static readonly ProcessCommand s_recorder = TestPrograms.Shell(
        "b=$(date +%s%N); sleep $1; echo $PROCESSRUNNER_SLOT $b $(date +%s%N)");

    [Theory]
    [InlineData(1, 5, false)]
    [InlineData(2, 4, true)]
    [InlineData(3, 9, false)]
    [OnlyOn(Systems.Linux, "date(1) of GNU tells nanoseconds")]
    public void RandomWeightsAndGroups_AreNeverExceeded_AndNoSlotIsTwiceInUse(
        int seed, int most, bool isAsync) => Guard.Run(() => SteadyClock.During(() =>
    {
        Random random = new(seed);
        Dictionary<string, int> limits = new() { ["one"] = 1, ["three"] = 3 };
        string?[] groups = [null, "one", "three", "unlimited"];
        List<BatchItem> items = [.. Enumerable.Range(0, 60).Select(number => new BatchItem(
            s_recorder.WithArguments(["0.0" + random.Next(3)]))
        {
            Slots = random.Next(5) == 0 ? random.Next(1, most + 3) : 1,
            Group = groups[random.Next(groups.Length)],
            Tag = number,
        })];
        BatchOptions options = new() { MaxConcurrency = most, GroupLimits = limits };
        List<BatchResult> results = isAsync
            ? [.. ProcessBatch.EnumerateAsync(items, options).ToBlockingEnumerable()]
            : [.. ProcessBatch.Enumerate(items, options)];
        results.Should().OnlyContain(result => result.IsSuccess);
        results.Select(result => (int)result.Tag!).Order().Should().Equal(Enumerable.Range(0, items.Count));
        results.Should().OnlyContain(
            result => ReferenceEquals(result.Item, items[(int)result.Index]) && result.Repetition == 0);
        Highest(results, item => Math.Min(item.Slots, most)).Should().BeLessThanOrEqualTo(most).And.BeGreaterThan(1);
        foreach ((string group, int limit) in limits)
        {
            Highest(results, item => item.Group == group ? Math.Min(item.Slots, limit) : 0)
                .Should().BeLessThanOrEqualTo(limit);
        }

        for (int slot = 0; slot < most; slot++)
        {
            Highest(results.Where(result => result.Slot == slot), _ => 1)
                .Should().BeLessThanOrEqualTo(1, $"of slot {slot}");
        }

        results.Should().OnlyContain(
            result => SlotSeenBy(result) == result.Slot && result.Slot >= 0 && result.Slot < most);
    }));

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void SlotVariable_HasTheNameThatIsWanted_AndWinsOverTheCommandsOwn() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell("echo \"[$MY_SLOT][$PROCESSRUNNER_SLOT]\"") with
        {
            Environment = new Dictionary<string, string?> { ["MY_SLOT"] = "mine", ["PROCESSRUNNER_SLOT"] = null },
        };
        OutputOf(command, new BatchOptions { SlotVariable = "MY_SLOT", MaxConcurrency = 1 }).Should().Be("[0][]\n");
        OutputOf(command, new BatchOptions { SlotVariable = null }).Should().Be("[mine][]\n");
        OutputOf(command with { InheritEnvironment = false }, new BatchOptions { MaxConcurrency = 1 })
            .Should().Be("[mine][0]\n");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "date(1) of GNU tells nanoseconds")]
    public void OneThatIsHeavierThanAll_RunsAlone() => Guard.Run(() => SteadyClock.During(() =>
    {
        ProcessCommand nap = s_recorder.WithArguments(["0.02"]);
        List<BatchResult> results = [.. ProcessBatch.Enumerate(
            Enumerable.Range(0, 9).Select(n => new BatchItem(nap) { Slots = n % 3 == 1 ? 1_000 : 1 }),
            new BatchOptions { MaxConcurrency = 3 })];
        Highest(results, item => item.Slots).Should().Be(1_000);
    }));

    private static string OutputOf(ProcessCommand command, BatchOptions options) =>
        ProcessBatch.Enumerate([command], options).Single().EnsureSuccess().StandardOutput.Text;

    private static int SlotSeenBy(BatchResult result) => int.Parse(result.Result!.StandardOutput.Text.Split(' ')[0]);

    private static int Highest(IEnumerable<BatchResult> results, Func<BatchItem, int> weight) => Occupancy.Highest(
        results.Select(result => (Life: Occupancy.LifeOf(result.Result!), Weight: weight(result.Item)))
            .Select(one => (one.Life.Begin, one.Life.End, one.Weight)));
}
