using System;
using Xunit;

namespace ProcessRunner.HostileTests;

// Two classes of one collection, whose tests fail if a test of the runner says so.
[Collection("pair")]
public sealed class PairOneTests
{
    [Fact]
    public void Test() => Pair.Check();
}

[Collection("pair")]
public sealed class PairTwoTests
{
    [Fact]
    public void Test() => Pair.Check();
}

internal static class Pair
{
    public static void Check() => Assert.Null(Environment.GetEnvironmentVariable("PAIR_FAILS"));
}
