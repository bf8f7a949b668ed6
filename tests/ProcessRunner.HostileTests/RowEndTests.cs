using System;
using System.Collections.Generic;
using Xunit;

namespace ProcessRunner.HostileTests;

// The rows of a folded theory have ended when their data comes to its end, and the theory has not.
public sealed class RowEndTests
{
    public static TheoryData<EndingRow> Rows => [new EndingRow()];

    [Fact]
    public void Other()
    {
    }

    [Theory]
    [MemberData(nameof(Rows), DisableDiscoveryEnumeration = true)]
    public void Row(EndingRow row) => Assert.NotNull(row);
}

public sealed class EndingRow : IDisposable
{
    public void Dispose() => FailingFixture.End();

    public override string ToString() => "ending";
}

// The theory fails, and has no rows when it runs again, if it is asked to.
public sealed class VanishingRowTests
{
    private static bool IsAsked => Environment.GetEnvironmentVariable("HOSTILE_VANISH") is not null;

    public static IEnumerable<object[]> Rows => IsAsked && !State.IsFirst("rows-have-been-seen") ? [] : [[1]];

    [Fact]
    public void Other()
    {
    }

    [Theory]
    [MemberData(nameof(Rows), DisableDiscoveryEnumeration = true)]
    public void Vanishes(int number) => Assert.Equal(IsAsked ? 2 : 1, number);
}
