using System;
using Xunit;

namespace ProcessRunner.HostileTests;

// A second run of these differs from the first one.
public sealed class ChangingTests
{
    public static TheoryData<Changing> Rows => [new Changing()];

    [Theory]
    [MemberData(nameof(Rows), DisableDiscoveryEnumeration = true)]
    public void HasAnotherName(Changing changing)
    {
        Assert.NotNull(changing);
        Assert.False(State.IsFirst("changing-has-failed"), "the first time it fails");
    }

    [Fact]
    public void LeaksTheSecondTime()
    {
        Assert.False(State.IsFirst("leaking-has-failed"), "the first time it fails");
        Leaking.Start("exec sleep 1000.625 <&- >&- 2>&-");
    }
}

public sealed class Changing
{
    private readonly Guid _id = Guid.NewGuid();

    public override string ToString() => _id.ToString();
}
