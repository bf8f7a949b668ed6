using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Two tests must begin at about the same time, so no others take the processors away.</summary>
[Collection(Quiet.Name)]
[OnlyOn(Systems.Linux, "the hostile suite, which starts shells")]
public sealed class IgnoredHintTests
{
    [Fact]
    public void WithoutTheHints_ItRunsBesideOthers() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ParallelHintTests
            .Run(folder, PTestProgram.Hostile, "class:ExclusiveTests or method:Slow", "--ignore-parallel-hints")
            .ProcessesDuring(ParallelHintTests.Alone).Should().Be(2);
    });
}
