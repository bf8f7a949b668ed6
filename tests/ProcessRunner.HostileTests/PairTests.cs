using Xunit;

namespace ProcessRunner.HostileTests;

// Two classes of one collection.
[Collection("pair")]
public sealed class PairOneTests
{
    [Fact]
    public void Test()
    {
    }
}

[Collection("pair")]
public sealed class PairTwoTests
{
    [Fact]
    public void Test()
    {
    }
}
