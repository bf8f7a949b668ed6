using System;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Engines;

[OnlyOn(Systems.Linux, "the threads of the Linux backend")]
public sealed class CounterTests
{
    [NativeBackend("the portable backend has a number of threads that depends on its children")]
    [Fact]
    public void Counters_OfOwnEngine_CountItsChildrenAlone() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 3 });
        (engine.ThreadCount, engine.LiveChildren, engine.StartedChildren).Should().Be((0, 0, 0L));
        ChildProcess first = new ProcessCommand("sleep", "1000").Start(engine);
        (engine.ThreadCount, engine.LiveChildren, engine.StartedChildren)
            .Should().Be((5, 1, 1L), "there are 3 reactors, the survey and a delivery thread");
        ChildProcess second = new ProcessCommand("sleep", "1000").Start(engine);
        new ProcessCommand("true").Run();
        (engine.ThreadCount, engine.LiveChildren, engine.StartedChildren).Should().Be((5, 2, 2L));
        first.Dispose();
        engine.LiveChildren.Should().Be(1);
        second.Dispose();
        (engine.LiveChildren, engine.StartedChildren).Should().Be((0, 2L));
        engine.ThreadCount.Should().Be(5);
    });

    [Fact]
    public void FailedStart_IsNotCounted() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        FluentActions.Invoking(() => new ProcessCommand("/no/such/program").Run(engine))
            .Should().ThrowExactly<ProcessStartException>();
        (engine.LiveChildren, engine.StartedChildren).Should().Be((0, 0L));
    });

    [Fact]
    public void Executor_WithOwnEngine_RunsThere() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        using ProcessExecutor executor = new("true", "true", engine);
        executor.Run();
        executor.Wait();
        executor.Run();
        executor.WaitAsync().Wait();
        new ProcessCommand("true").RunAsync(engine).Wait();
        engine.StartedChildren.Should().Be(3);
    });

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(65)]
    public void ReactorCount_OutsideItsRange_Throws(int count) =>
        FluentActions.Invoking(() => new ProcessEngineOptions { ReactorCount = count })
            .Should().ThrowExactly<ArgumentOutOfRangeException>();

    [Fact]
    public void ReactorCount_ByDefault_IsTheNumberOfProcessorsButFourAtMost() =>
        new ProcessEngineOptions().ReactorCount.Should().Be(Math.Min(Environment.ProcessorCount, 4));
}
