using System;
using System.ComponentModel;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Windows.Start;
using ProcessRunner.Interop;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows.Start;

/// <summary>Verifies what the job of a child is told about its processors and limits, on any system.</summary>
public sealed class JobLimitsTests
{
    private const int InvalidParameter = 87;

    [Fact]
    public void Limits_OfACommandWithoutSettings_AreNone() =>
        JobLimits.For(null, hasOwnConsole: true).LimitFlags.Should().Be(0);

    [Fact]
    public void Processors_AreTheBitsOfTheAffinity()
    {
        Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = Of(new ProcessCommand("a") { Processors = [0, 5, 63] });
        limits.LimitFlags.Should().Be(Kernel32.JOB_OBJECT_LIMIT_AFFINITY);
        ((ulong)limits.Affinity).Should().Be(0x8000_0000_0000_0021);
    }

    [Fact]
    public void Limits_AreThoseOfTheJob()
    {
        Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = Of(new ProcessCommand("a")
            .WithLimit(LimitedResource.ProcessorTime, new ResourceLimit(3, 5))
            .WithLimit(LimitedResource.AddressSpace, 4000)
            .WithLimit(LimitedResource.DataSize, 3000)
            .WithLimit(LimitedResource.Processes, 7));
        limits.LimitFlags.Should().Be(
            Kernel32.JOB_OBJECT_LIMIT_PROCESS_TIME
            | Kernel32.JOB_OBJECT_LIMIT_PROCESS_MEMORY
            | Kernel32.JOB_OBJECT_LIMIT_ACTIVE_PROCESS);
        limits.PerProcessUserTimeLimit.Should().Be(3 * TimeSpan.TicksPerSecond);
        ((ulong)limits.ProcessMemoryLimit).Should().Be(3000, "the lower one applies");
        limits.ActiveProcessLimit.Should().Be(7);
    }

    [Fact]
    public void Limits_BeyondWhatTheSystemCanSay_AreTheHighestOnes()
    {
        Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = Of(new ProcessCommand("a")
            .WithLimit(LimitedResource.ProcessorTime, long.MaxValue)
            .WithLimit(LimitedResource.Processes, long.MaxValue));
        limits.PerProcessUserTimeLimit.Should().BeGreaterThan(long.MaxValue / 2);
        limits.ActiveProcessLimit.Should().Be(uint.MaxValue);
        Of(new ProcessCommand("a").WithLimit(LimitedResource.Processes, ResourceLimit.None)).LimitFlags.Should().Be(0);
    }

    [Fact]
    public void Processor_BeyondTheGroup_IsTheStepThatFails() =>
        FluentActions.Invoking(() => Of(new ProcessCommand("a") { Processors = [64] }))
            .Should().Throw<LaunchException>().Which.Step.Should().Be(LaunchStep.BadProcessors);

    [Theory]
    [InlineData(true, "BadProcessors")]
    [InlineData(false, "BadLimit")]
    public void Refusal_OfTheSystem_NamesTheStep(bool hasProcessors, string step)
    {
        ProcessCommand command = new ProcessCommand("a").WithLimit(LimitedResource.Processes, 0);
        ILaunchPlan plan = hasProcessors ? command with { Processors = [9] } : command;
        JobLimits.Explain(new Win32Exception(InvalidParameter), plan.Settings).Step.ToString().Should().Be(step);
    }

    [Fact]
    public void Refusal_WithoutALimit_IsNotBlamedOnOne()
    {
        ILaunchPlan plan = new ProcessCommand("a") { ArgumentZero = "b" };
        JobLimits.Explain(new Win32Exception(InvalidParameter), plan.Settings).Step
            .Should().NotBe(LaunchStep.BadLimit).And.NotBe(LaunchStep.BadProcessors);
    }

    // The host of the console is in the job, too. No child may live under a limit of zero, with or without a console.
    [Theory]
    [InlineData(7, 8u)]
    [InlineData(0, 0u)]
    [InlineData(long.MaxValue, uint.MaxValue)]
    public void HostOfAnOwnConsole_IsNotCounted(long limit, uint expected) =>
        Of(new ProcessCommand("a").WithLimit(LimitedResource.Processes, limit), hasOwnConsole: true)
            .ActiveProcessLimit.Should().Be(expected);

    private static Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION Of(
        ProcessCommand command, bool hasOwnConsole = false) =>
        JobLimits.For(((ILaunchPlan)command).Settings, hasOwnConsole);
}
