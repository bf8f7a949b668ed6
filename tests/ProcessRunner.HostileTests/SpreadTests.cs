using System;
using Xunit;

namespace ProcessRunner.HostileTests;

// The tests of two classes that do not bear each other in one process, if they are asked to: the first test of the
// class that comes second fails, and the second one ends the process.
[TestCaseOrderer("ProcessRunner.HostileTests.ByName", "ProcessRunner.HostileTests")]
public abstract class SpreadTests
{
    private static Type? s_first;

    [Fact]
    public void A_Fails() => Assert.True(IsFirst());

    [Fact]
    public void B_Exits()
    {
        if (!IsFirst())
        {
            Environment.Exit(0);
        }
    }

    [Fact]
    public void C_Passes() => Assert.NotNull(this);

    private bool IsFirst() =>
        Environment.GetEnvironmentVariable("HOSTILE_SPREAD") is null || (s_first ??= GetType()) == GetType();
}

public sealed class SpreadOneTests : SpreadTests;

public sealed class SpreadTwoTests : SpreadTests;
