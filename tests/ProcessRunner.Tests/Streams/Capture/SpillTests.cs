using System;
using System.Buffers;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Streams.Capture;
using ProcessRunner.TestChild;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Capture;

/// <summary>Verifies captures that go to temporary files because of their own limit or the engine's budget.</summary>
[Collection(Alone.Name)]
public sealed class SpillTests
{
    private const int Megabyte = 1024 * 1024;

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    [InlineData(1, 1)]
    [InlineData(1, 2)]
    [InlineData(65_536, 65_535)]
    [InlineData(65_536, 65_536)]
    [InlineData(65_536, 65_537)]
    [InlineData(100_000, 3_000_000)]
    [InlineData(1_000_000, 30_000_000)]
    public void SpillToFile_OfAnySize_KeepsEveryByte(int limit, int size) => Guard.Run(() =>
    {
        ProcessCommand command = NumberedLines.Command(1, size) with
        {
            StandardOutput = OutputTarget.Capture(limit, CapturePolicy.SpillToFile),
        };
        CapturedOutput output = command.Run().StandardOutput;
        byte[] expected = NumberedLines.Bytes(1, size);
        output.TotalBytes.Should().Be(size);
        output.IsTruncated.Should().BeFalse();
        output.IsSpilled.Should().Be(size > limit);
        StreamingSupport.NamedSpillFiles.Should().BeEmpty("the file has no name from the beginning");
        StreamingSupport.Hash(output.OpenRead()).Should().Be(StreamingSupport.Hash(expected));
        output.Bytes.ToArray().AsSpan().SequenceEqual(expected).Should().BeTrue();
        output.Text.Length.Should().Be(size);
    });

    [Fact]
    public void OpenRead_AtRandomPlaces_ReadsTheRightBytes() => Guard.Run(() =>
    {
        ProcessCommand command = NumberedLines.Command(1, 300_000) with
        {
            StandardOutput = OutputTarget.Capture(100_000, CapturePolicy.SpillToFile),
        };
        CapturedOutput output = command.Run().StandardOutput;
        byte[] expected = NumberedLines.Bytes(1, 300_000);
        using Stream stream = output.OpenRead();
        stream.Length.Should().Be(300_000);
        Random random = new(9);
        for (int round = 0; round < 1000; round++)
        {
            int place = random.Next(300_001);
            byte[] bytes = new byte[random.Next(1, 5000)];
            stream.Seek(place - stream.Length, SeekOrigin.End).Should().Be(place);
            int count = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            count.Should().Be(Math.Min(bytes.Length, 300_000 - place));
            bytes.AsSpan(0, count).SequenceEqual(expected.AsSpan(place, count)).Should().BeTrue();
        }
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void SpillFile_OfAResultThatNobodyHolds_IsGone() => Guard.Run(() =>
    {
        RunAndForget();
        Eventually.Is(
            () =>
            {
                Collect();
                return StreamingSupport.SpillDescriptors.Count == 0;
            },
            "the descriptors of temporary files are closed once the results are collected");
        StreamingSupport.NamedSpillFiles.Should().BeEmpty();
    });

    [Fact]
    public void Budget_OfAnEngine_BoundsWhatAllCapturesHoldAndComesBack() => Guard.Run(() =>
    {
        const long Limit = 8 * 1024 * 1024;
        using ProcessEngine engine = new(new ProcessEngineOptions { CaptureBudget = Limit });
        CaptureBudget budget = RunMany(engine, 20, 10_000_000, Limit);
        Eventually.Is(
            () =>
            {
                Collect();
                return budget.Used == 0 && StreamingSupport.SpillDescriptors.Count == 0;
            },
            "the budget comes back and the files vanish once the results are collected");
    });

    [Fact]
    public void Budget_OfZero_SpillsEverythingButSmallCaptures() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { CaptureBudget = 0 });
        CapturedOutput small = TestPrograms.Quick("echo", "small").Run(engine).StandardOutput;
        small.IsSpilled.Should().BeFalse();
        small.Text.Should().Be("small\n");
        CapturedOutput large = NumberedLines.Command(1, 1_000_000).Run(engine).StandardOutput;
        large.IsSpilled.Should().BeTrue();
        StreamingSupport.Hash(large.OpenRead()).Should().Be(StreamingSupport.Hash(NumberedLines.Bytes(1, 1_000_000)));
        StreamingSupport.BudgetOf(engine).Used.Should().Be(0);
    });

    [Fact]
    public void Budget_CanBeTakenToTheLastByte_AndNoFurther()
    {
        CaptureBudget budget = new(100);
        budget.TryTake(60).Should().BeTrue();
        budget.TryTake(41).Should().BeFalse();
        budget.TryTake(40).Should().BeTrue();
        (budget.Used, budget.Has(0), budget.Has(1)).Should().Be((100, true, false));
    }

    [Fact]
    public void Budget_TakenByManyThreads_IsNeverExceededAndIsWholeAtTheEnd() => Guard.Run(() =>
    {
        CaptureBudget budget = new(1000);
        bool isExceeded = false;
        bool isDone = false;
        Thread witness = new(() =>
        {
            while (!Volatile.Read(ref isDone))
            {
                isExceeded |= budget.Used > 1000;
            }
        });
        witness.Start();
        Races.Plain.Threads(3, 300_000, repetition =>
        {
            if (budget.TryTake(400))
            {
                budget.Return(400);
            }
        });
        Volatile.Write(ref isDone, true);
        witness.Join();
        budget.Used.Should().Be(0);
        isExceeded.Should().BeFalse("the budget is a limit at every moment");
    });

    [Theory]
    [InlineData(CapturePolicy.KeepHead)]
    [InlineData(CapturePolicy.KeepHeadAndTail)]
    public void LimitedCaptures_CountInTheBudgetAndStayInMemoryWhenItIsExceeded(CapturePolicy policy) => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { CaptureBudget = 4 * Megabyte });
        CaptureBudget budget = RunLimited(engine, policy);
        ShouldComeBack(budget);
        CapturedOutput output = Shouting(OutputTarget.Capture()).Run(engine).StandardOutput;
        output.IsSpilled.Should().BeFalse("the budget is there again");
        GC.KeepAlive(output);
    });

    [Fact]
    public void Captures_BeyondTheBudgetWhateverTheirLimit_SpillAndKeepEveryByte() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { CaptureBudget = 4 * Megabyte });
        CaptureBudget budget = RunSpilling(engine);
        ShouldComeBack(budget);
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RunAndForget()
    {
        ProcessCommand command = TestPrograms.Quick("seq", "1", "100000") with
        {
            StandardOutput = OutputTarget.Capture(0, CapturePolicy.SpillToFile),
        };
        ProcessResult[] results = [.. Enumerable.Range(0, 5).Select(_ => command.Run())];
        results.Should().OnlyContain(result => result.StandardOutput.IsSpilled);
        StreamingSupport.SpillDescriptors.Count.Should().BeGreaterThanOrEqualTo(results.Length);
        StreamingSupport.NamedSpillFiles.Should().BeEmpty();
        GC.KeepAlive(results);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static CaptureBudget RunMany(ProcessEngine engine, int count, int size, long limit)
    {
        TestPrograms.Quick().Run(engine);
        CaptureBudget budget = StreamingSupport.BudgetOf(engine);
        ProcessCommand command = TestPrograms.Child("fill", $"{size}");
        ChildProcess[] children = [.. Enumerable.Range(0, count).Select(_ => command.Start(engine))];
        long most = 0;
        while (!Array.TrueForAll(children, child => !child.IsRunning))
        {
            most = Math.Max(most, budget.Used);
            Thread.Yield();
        }

        string expected = Convert.ToHexString(FillText.Sha256(size));
        foreach (ChildProcess child in children)
        {
            CapturedOutput output = child.Wait().EnsureSuccess().StandardOutput;
            output.TotalBytes.Should().Be(size);
            output.IsTruncated.Should().BeFalse();
            StreamingSupport.Hash(output.OpenRead()).Should().Be(expected);
        }

        children.Should().Contain(child => child.Wait().StandardOutput.IsSpilled);
        most.Should().BeInRange(1, limit);
        GC.KeepAlive(children);
        return budget;
    }

    // The run makes ten captures of a megabyte; the budget has room for four.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static CaptureBudget RunLimited(ProcessEngine engine, CapturePolicy policy)
    {
        const int Children = 10;
        ChildProcess[] children =
            [
                .. Enumerable.Range(0, Children).Select(_ =>
                    Shouting(OutputTarget.Capture(Megabyte, policy)).Start(engine)),
            ];
        CapturedOutput[] outputs = [.. children.Select(child => child.Wait().EnsureSuccess().StandardOutput)];
        outputs.Should().OnlyContain(output => !output.IsSpilled && output.IsTruncated);
        outputs.Should().OnlyContain(output => output.Bytes.Length == Megabyte && output.TotalBytes == 2 * Megabyte);
        CaptureBudget budget = StreamingSupport.BudgetOf(engine);
        budget.Used.Should().BeInRange(Children * Megabyte, Children * (Megabyte + (Megabyte / 2)));

        CapturedOutput other = Shouting(OutputTarget.Capture()).Run(engine).EnsureSuccess().StandardOutput;
        other.IsSpilled.Should().BeTrue("memory of limited captures is not available to others");
        other.Bytes.Length.Should().Be(2 * Megabyte);
        GC.KeepAlive(children);
        return budget;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static CaptureBudget RunSpilling(ProcessEngine engine)
    {
        OutputTarget target = OutputTarget.Capture(10 * Megabyte, CapturePolicy.SpillToFile);
        ChildProcess[] children = [.. Enumerable.Range(0, 10).Select(_ => Shouting(target).Start(engine))];
        CapturedOutput[] outputs = [.. children.Select(child => child.Wait().EnsureSuccess().StandardOutput)];
        outputs.Should().OnlyContain(output => !output.IsTruncated && output.Bytes.Length == 2 * Megabyte);
        outputs.Count(output => output.IsSpilled).Should().BeInRange(8, 10, "two fit into the budget at most");
        CaptureBudget budget = StreamingSupport.BudgetOf(engine);
        budget.Used.Should().BeInRange(1, 4 * Megabyte);
        GC.KeepAlive(children);
        return budget;
    }

    private static ProcessCommand Shouting(OutputTarget target) =>
        TestPrograms.Quick("zeros", $"{2 * Megabyte}") with { StandardOutput = target };

    private static void ShouldComeBack(CaptureBudget budget) => Eventually.Is(
        () =>
        {
            Collect();
            return budget.Used == 0 && StreamingSupport.SpillDescriptors.Count == 0;
        },
        "the budget comes back and the files vanish once the results are collected");

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}
