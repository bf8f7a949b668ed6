using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>A test that asks to run alone does not, if nobody listens: it and another wait for each other.</summary>
[OnlyOn(Systems.Linux, "the hostile suite, which starts shells")]
public sealed class IgnoredHintTests
{
    [Fact]
    public void WithoutTheHints_ItRunsBesideOthers() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessCommand command = ParallelHintTests.Command(
            folder, PTestProgram.Hostile, "class:ExclusiveTests or method:Slow", "--ignore-parallel-hints");
        ParallelHintTests.EventsOf(folder, command.WithEnvironment("HOSTILE_MEET", "1"))
            .ProcessesDuring(ParallelHintTests.Alone).Should().Be(2);
    });
}
