using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies that a consumer that stops reading delays the starts and costs nothing meanwhile.</summary>
[Collection(Alone.Name)]
public sealed class BatchReaderTests
{
    private const int Slots = 4;

    // The limit applies with so few slots.
    private const int MostResults = 64;

    private static readonly ProcessCommand s_true = TestPrograms.Quick();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ReaderThatPauses_HoldsUpTheStarts_AndGetsAllInTheEnd(bool isAsync) => Guard.Run(() =>
    {
        const int Commands = 200;
        using ProcessEngine engine = new();
        BatchOptions options = new() { Engine = engine, MaxConcurrency = Slots };
        IEnumerable<ProcessCommand> commands = Enumerable.Repeat(s_true, Commands);
        BatchRun batch = isAsync
            ? ProcessBatch.EnumerateAsync(commands, options)
            : ProcessBatch.Enumerate(commands, options);
        int taken = 0;
        foreach (BatchResult _ in isAsync ? ((AsyncBatchResults)batch).ToBlockingEnumerable() : (BatchResults)batch)
        {
            taken++;
            if (taken % 50 == 1)
            {
                Eventually.Is(
                    () => batch.Progress is { Running: 0 } progress
                        && (progress.Passed == Commands || progress.Passed - taken >= MostResults),
                    "the maximum number of results waits");
            }

            // The waiting results, and the commands that started while one fewer result waited.
            (engine.StartedChildren - taken).Should().BeLessThanOrEqualTo(MostResults + Slots);
        }

        taken.Should().Be(Commands);
    });

    // The memory gate was closed before. It must not be queried again and again while nothing may start anyway.
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void BatchThatWaits_DoesNotSpin() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new();
        ProcessCommand stubborn =
            TestPrograms.Shell(
                "trap '' TERM; echo >\"$1\"; until [ -e \"$2\" ]; do sleep 0.1; done",
                directory.At("ready"),
                directory.At("go")) with
            {
                StopGrace = TimeSpan.FromMinutes(5),
            };
        BatchResults batch = ProcessBatch.Enumerate(
            [s_true, stubborn, .. Enumerable.Repeat(s_true, 10)],
            new BatchOptions { Engine = engine, MaxConcurrency = 2, MinAvailableMemory = long.MaxValue });
        foreach (BatchResult result in batch)
        {
            if (result.Index == 0)
            {
                Eventually.Is(
                    () => engine.LiveChildren == 1 && batch.Progress.Queued > 0 && File.Exists(directory.At("ready")),
                    "one runs, and the gate is closed");
                batch.RequestStop();
                try
                {
                    ReactorRest.ShouldSleep();
                    engine.LiveChildren.Should().Be(1);
                }
                finally
                {
                    directory.File("go");
                }
            }
        }
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void SlowReaderBehindAClosedGate_DoesNotSpin() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        ProcessCommand nap = TestPrograms.Quick("sleep", "100");
        BatchResults batch = ProcessBatch.Enumerate(
            Enumerable.Repeat(nap, 20),
            new BatchOptions { Engine = engine, MaxConcurrency = 1, MinAvailableMemory = long.MaxValue });
        foreach (BatchResult result in batch.Take(3))
        {
            Eventually.Is(() => batch.Progress is { Running: 0, Passed: > 0 } && engine.LiveChildren == 0, "it waits");
            ReactorRest.ShouldSleep();
        }
    });
}
