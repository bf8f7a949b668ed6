using System;
using System.Collections.Generic;
using System.Threading;
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

// Once the tests have been listed, a process takes its time to find them again, if it is asked to.
public sealed class SlowDataTests
{
    public static TheoryData<int> Rows
    {
        get
        {
            bool isAsked = Environment.GetEnvironmentVariable("HOSTILE_SLOW_DATA") is not null;
            if (isAsked && !State.IsFirst("tests-have-been-listed"))
            {
                Thread.Sleep(TimeSpan.FromSeconds(25));
            }

            return [1];
        }
    }

    [Theory]
    [MemberData(nameof(Rows))]
    public void Row(int number) => Assert.Equal(1, number);
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
