using System;
using System.Linq;
using System.Threading;
using Xunit;

namespace ProcessRunner.HostileTests;

// The first test never gives back what the second one needs, which then ends as the variable says.
[TestCaseOrderer("ProcessRunner.HostileTests.ByName", "ProcessRunner.HostileTests")]
public sealed class OrderTests
{
    private static readonly SemaphoreSlim s_free = new(1);
    private static readonly string? s_way = Environment.GetEnvironmentVariable("HOSTILE_ORDER");

    [Fact]
    public void First()
    {
        if (s_way is not null)
        {
            s_free.Wait();
        }

        if (s_way == "fail-once" && !State.IsFirst("first-has-run"))
        {
            Environment.Exit(0);
        }
    }

    [Fact]
    public void Second()
    {
        if (s_free.CurrentCount > 0)
        {
            return;
        }

        switch (s_way)
        {
            case "hang":
                s_free.Wait();
                break;
            case "crash":
                Environment.FailFast("on purpose");
                break;
            case "exit":
                Environment.Exit(0);
                break;
            default:
                Assert.Fail("the first test has taken it");
                break;
        }
    }
}

// All fail but the last one, which fails only after them.
[TestCaseOrderer("ProcessRunner.HostileTests.ByName", "ProcessRunner.HostileTests")]
public sealed class CrowdTests
{
    private static readonly bool s_isAsked = Environment.GetEnvironmentVariable("HOSTILE_CROWD") is not null;
    private static bool s_isFirst = true;

    public static TheoryData<int> Numbers => [.. Enumerable.Range(0, s_isAsked ? 50 : 1)];

    [Theory]
    [MemberData(nameof(Numbers))]
    public void Each(int number)
    {
        s_isFirst = !s_isAsked;
        Assert.True(s_isFirst, $"number {number} fails");
    }

    [Fact]
    public void Last() => Assert.True(s_isFirst, "it is not the first");
}
