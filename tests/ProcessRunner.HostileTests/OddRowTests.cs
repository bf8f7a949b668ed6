using System;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using Xunit;

namespace ProcessRunner.HostileTests;

// What is legal, and what runners trip over.
public sealed class OddRowTests
{
    [SuppressMessage("Usage", "xUnit1025", Justification = "it is to have equal rows")]
    [Theory]
    [InlineData(1)]
    [InlineData(1)]
    public void EqualRows(int number) => Assert.Equal(1, number);

    [Fact(DisplayName = " ")]
    public void Nameless()
    {
    }
}

public sealed class FailingFixture : IDisposable
{
    public FailingFixture()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_BEGIN") == "hang")
        {
            new ManualResetEventSlim().Wait();
        }
    }

    public void Dispose() => End();

    /// <summary>Ends as the variable says.</summary>
    public static void End()
    {
        switch (Environment.GetEnvironmentVariable("HOSTILE_CLEANUP"))
        {
            case "throw":
                throw new InvalidOperationException("the fixture fails at its end");
            case "hang":
                new ManualResetEventSlim().Wait();
                break;
            case "exit":
            case "exit-once" when State.IsFirst("fixture-has-exited"):
                Environment.Exit(0);
                break;
            case "crash":
                Environment.FailFast("the fixture crashes at its end");
                break;
            default:
                break;
        }
    }
}

public sealed class FixtureTests : IClassFixture<FailingFixture>
{
    [Fact]
    public void One_Passes()
    {
    }

    [Fact(DisplayName = "of two\nlines")]
    public void Other()
    {
    }
}

// Both fail before the fixture does.
public sealed class BadCleanupTests : IClassFixture<FailingFixture>
{
    [Fact]
    public void One() => Check();

    [Fact]
    public void Other() => Check();

    private static void Check() => Assert.NotEqual("throw", Environment.GetEnvironmentVariable("HOSTILE_CLEANUP"));
}
