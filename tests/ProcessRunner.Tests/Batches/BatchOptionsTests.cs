using System;
using System.Collections.Generic;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies that meaningless options are refused where they are set.</summary>
public sealed class BatchOptionsTests
{
    public static TheoryData<Action> OutOfRange =>
    [
        () => _ = new BatchOptions { MaxConcurrency = 0 },
        () => _ = new BatchOptions { MaxConcurrency = -1 },
        () => _ = new BatchOptions { GroupLimits = new Dictionary<string, int> { ["fine"] = 1, ["bad"] = 0 } },
        () => _ = new BatchOptions { Timeout = TimeSpan.FromTicks(-1) },
        () => _ = new BatchOptions { MaxWaiting = 0 },
        () => _ = new BatchOptions { RepeatCount = 0 },
        () => _ = new BatchOptions { RepeatFor = TimeSpan.FromTicks(-1) },
        () => _ = new BatchOptions { RepeatFor = Timeout.InfiniteTimeSpan },
        () => _ = new BatchOptions { MinAvailableMemory = -1 },
        () => _ = new BatchOptions { ProgressInterval = TimeSpan.FromMicroseconds(999) },
        () => _ = new BatchRetry { Count = -1 },
        () => _ = new BatchRetry { Delay = TimeSpan.FromTicks(-1) },
        () => _ = new BatchRetry { Delay = TimeSpan.FromDays(25) },
        () => _ = new BatchRetry { MaxDelay = TimeSpan.FromTicks(-1) },
        () => _ = new BatchRetry { MaxDelay = TimeSpan.FromDays(25) },
        () => _ = new BatchRetry { Factor = 0.99 },
        () => _ = new BatchRetry { Factor = double.NaN },
        () => _ = new BatchRetry { Factor = double.PositiveInfinity },
        () => _ = new BatchRetry { Jitter = -0.01 },
        () => _ = new BatchRetry { Jitter = 1.01 },
        () => _ = new BatchRetry { Jitter = double.NaN },
        () => _ = new BatchItem(TestPrograms.Quick()) { Slots = 0 },
        () => _ = new BatchItem(TestPrograms.Quick()) { ExpectedRunTime = TimeSpan.FromTicks(-1) },
    ];

    [Theory]
    [MemberData(nameof(OutOfRange))]
    public void NumberOrTimeOutOfItsRange_IsRefused(Action set) =>
        set.Should().ThrowExactly<ArgumentOutOfRangeException>().WithParameterName("value");

    [Theory]
    [InlineData("")]
    [InlineData("A=B")]
    [InlineData("A\0B")]
    public void SlotVariableThatIsNoName_IsRefused(string name) =>
        FluentActions.Invoking(() => new BatchOptions { SlotVariable = name })
        .Should().ThrowExactly<ArgumentException>().WithParameterName("value");

    [Fact]
    public void Null_IsRefusedWhereItMeansNothing()
    {
        FluentActions.Invoking(() => new BatchOptions { GroupLimits = null! })
            .Should().ThrowExactly<ArgumentNullException>().WithParameterName("value");
        FluentActions.Invoking(() => new BatchOptions { Retry = null! })
            .Should().ThrowExactly<ArgumentNullException>().WithParameterName("value");
        FluentActions.Invoking(() => new BatchItem(null!))
            .Should().ThrowExactly<ArgumentNullException>().WithParameterName("command");
    }

    [Fact]
    public void Limits_ThatAreJustInRange_AreTaken()
    {
        BatchOptions options = new()
        {
            MaxConcurrency = int.MaxValue,
            MaxWaiting = int.MaxValue,
            Timeout = Timeout.InfiniteTimeSpan,
            RepeatFor = TimeSpan.MaxValue,
            ProgressInterval = TimeSpan.FromMilliseconds(1),
            SlotVariable = null,
            Retry = new BatchRetry { Delay = TimeSpan.FromDays(24), MaxDelay = TimeSpan.Zero, Factor = 1, Jitter = 1 },
        };
        options.SlotVariable.Should().BeNull();
        options.Retry.DelayAfter(1, 1).Should().Be(TimeSpan.Zero);
        new BatchOptions().MaxConcurrency.Should().Be(Environment.ProcessorCount);
    }

    [Fact]
    public void GroupLimits_CompareNamesOrdinally_WhateverTheDictionaryDoes()
    {
        Dictionary<string, int> limits = new(StringComparer.OrdinalIgnoreCase) { ["DB"] = 2 };
        BatchOptions options = new() { GroupLimits = limits };
        options.GroupLimits.ContainsKey("DB").Should().BeTrue();
        options.GroupLimits.ContainsKey("db").Should().BeFalse();
    }

    [Fact]
    public void GroupLimits_AreTakenAsTheyAreAtThatMoment()
    {
        Dictionary<string, int> limits = new() { ["db"] = 2 };
        BatchOptions options = new() { GroupLimits = limits };
        limits["db"] = 0;
        options.GroupLimits["db"].Should().Be(2);
    }
}
