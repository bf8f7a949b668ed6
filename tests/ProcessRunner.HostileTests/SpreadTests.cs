using System;
using Xunit;

namespace ProcessRunner.HostileTests;

// Two classes that do not bear each other in one process, if they are asked to: the first test of the class that comes
// second fails, and the second one ends the process.
[TestCaseOrderer("ProcessRunner.HostileTests.ByName", "ProcessRunner.HostileTests")]
public sealed class SpreadOneTests
{
    [Fact]
    public void A_Fails() => Assert.True(Spread.IsFirst(this));

    [Fact]
    public void B_Exits() => Spread.Exit(this);

    [Fact]
    public void C_Passes() => Assert.NotNull(this);
}

/// <inheritdoc cref="SpreadOneTests"/>
[TestCaseOrderer("ProcessRunner.HostileTests.ByName", "ProcessRunner.HostileTests")]
public sealed class SpreadTwoTests
{
    [Fact]
    public void A_Fails() => Assert.True(Spread.IsFirst(this));

    [Fact]
    public void B_Exits() => Spread.Exit(this);

    [Fact]
    public void C_Passes() => Assert.NotNull(this);
}

internal static class Spread
{
    private static Type? s_first;

    public static bool IsFirst(object test) =>
        Environment.GetEnvironmentVariable("HOSTILE_SPREAD") is null || (s_first ??= test.GetType()) == test.GetType();

    public static void Exit(object test)
    {
        if (!IsFirst(test))
        {
            Environment.Exit(0);
        }
    }
}
