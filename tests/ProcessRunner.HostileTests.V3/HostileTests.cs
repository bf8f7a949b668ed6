using System;
using System.Diagnostics;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using HostileV3;
using Xunit;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestPipelineStartup(typeof(Startup))]

namespace HostileV3;

public sealed class Startup : ITestPipelineStartup
{
    public static bool HasBegun { get; private set; }

    public ValueTask StartAsync(IMessageSink diagnosticMessageSink)
    {
        HasBegun = true;
        return default;
    }

    public ValueTask StopAsync() => default;
}

public sealed class OrdinaryTests(ITestOutputHelper output)
{
    [Fact]
    public void Passes() => Assert.True(Startup.HasBegun);

    [Fact]
    public async Task PassesLater() => await Task.Delay(1, TestContext.Current.CancellationToken);

    [Fact]
    public void Fails()
    {
        output.WriteLine($"written by the failing test in culture '{CultureInfo.CurrentCulture.Name}'");
        Assert.Equal(4, 2 + 3);
    }

    [Fact(Skip = "a reason")]
    public void Skipped()
    {
    }

    [Fact]
    public void SkipsItself() => Assert.Skip("another reason");

    [Fact(Explicit = true)]
    public void OnlyIfAsked() => Assert.Fail("nobody asked for it");

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(-1)]
    public void Row(int number) => Assert.True(number > 0);
}

public sealed class CrashTests
{
    [Fact]
    public void Before_Passes()
    {
    }

    [Fact]
    public void Crashes() => Environment.FailFast("on purpose");

    [Fact]
    public void Behind_Passes()
    {
    }
}

public sealed class ExitTests
{
    [Fact]
    public void Before_Passes()
    {
    }

    [Fact]
    public void Exits() => Environment.Exit(0);

    [Fact]
    public void Behind_Passes()
    {
    }
}

public sealed class EndlessTests
{
    [Fact]
    public void Before_Passes()
    {
    }

    [Fact]
    public void Never() => new ManualResetEventSlim().Wait(CancellationToken.None);

    [Fact]
    public void Behind_Passes()
    {
    }
}

public sealed class LeakTests
{
    [Fact]
    public void Before_Passes()
    {
    }

    [Fact]
    public void Leaks()
    {
        using Process process = Process.Start("/bin/sh", ["-c", "setsid sleep 2000.25 <&- >&- 2>&- &"]);
    }

    [Fact]
    public void Behind_Passes()
    {
    }
}

// xunit v3 has an error run in the place of a theory without data, and does not tell the end of its case.
public sealed class EmptyTheoryTests
{
    public static TheoryData<int> NoRows => [];

    [Theory]
    [MemberData(nameof(NoRows))]
    public void HasNoRows(int number) => Assert.Equal(1, number);

    [Theory]
    [InlineData(1)]
    public void HasRows(int number) => Assert.Equal(1, number);
}

// xunit v3 cannot make a test with an empty name, and tells that when it has run the others of its method.
public sealed class NamelessTests
{
    [Fact(DisplayName = " ")]
    public void Blank()
    {
    }

    [Fact(DisplayName = "")]
    public void Empty()
    {
    }
}

[CollectionDefinition("alone", DisableParallelization = true)]
public sealed class Alone;

[Collection("alone")]
public sealed class ExclusiveTests
{
    [Fact]
    public void Waits_Passes() => Thread.Sleep(500);
}

public sealed class FailingFixture : IDisposable
{
    public void Dispose()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_CLEANUP") == "throw")
        {
            throw new InvalidOperationException("the fixture fails at its end");
        }
    }
}

public sealed class FixtureTests : IClassFixture<FailingFixture>
{
    [Fact]
    public void One_Passes()
    {
    }
}
