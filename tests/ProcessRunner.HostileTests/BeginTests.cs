using System;
using System.Threading;
using Xunit;

namespace ProcessRunner.HostileTests;

// Of four classes, the fixture of the one that is asked for does not come to its first test.
public sealed class BadBegin<T>
{
    public BadBegin()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_BAD_BEGIN")?.Split(' ') is [string name, string way]
            && name == typeof(T).Name)
        {
            if (way == "exit")
            {
                Environment.Exit(0);
            }

            new ManualResetEventSlim().Wait();
        }
    }
}

public sealed class BeginOne(BadBegin<BeginOne> begin) : IClassFixture<BadBegin<BeginOne>>
{
    [Fact]
    public void Test() => Assert.NotNull(begin);
}

public sealed class BeginTwo(BadBegin<BeginTwo> begin) : IClassFixture<BadBegin<BeginTwo>>
{
    [Fact]
    public void Test() => Assert.NotNull(begin);
}

public sealed class BeginThree(BadBegin<BeginThree> begin) : IClassFixture<BadBegin<BeginThree>>
{
    [Fact]
    public void Test() => Assert.NotNull(begin);
}

public sealed class BeginFour(BadBegin<BeginFour> begin) : IClassFixture<BadBegin<BeginFour>>
{
    [Fact]
    public void Test() => Assert.NotNull(begin);
}
