using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Linq;
using System.Threading;
using Xunit;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace ProcessRunner.HostileTests;

// Each class has a test that does its worst, between others that pass.
public abstract class Neighbours
{
    [Fact]
    public void Before_Passes()
    {
    }

    [Fact]
    public void Behind_Passes()
    {
    }
}

public sealed class FailFastTests : Neighbours
{
    [Fact]
    public void FailFast() => Environment.FailFast("on purpose");
}

public sealed class StackOverflowTests : Neighbours
{
    [Fact]
    public void Overflow() => Assert.Equal(0, Deeper(1));

    [SuppressMessage("Performance", "CA1822", Justification = "it is to overflow the stack")]
    private static int Deeper(int depth) => depth == 0 ? 0 : Deeper(depth + 1) + Deeper(depth + 2);
}

public sealed class EndlessTests : Neighbours
{
    [Fact]
    public void Never() => new ManualResetEventSlim().Wait();
}

public sealed class ExitTests : Neighbours
{
    [Fact]
    public void Exit() => Environment.Exit(0);
}

public sealed class LeakWithOutputTests : Neighbours
{
    [Fact]
    public void Leaks() => Leaking.Start("sleep 1000.25");
}

public sealed class LeakInSilenceTests : Neighbours
{
    [Fact]
    public void Leaks() => Leaking.Start("exec sleep 1000.5 <&- >&- 2>&-");
}

public sealed class LeakInSessionTests : Neighbours
{
    [Fact]
    public void Leaks() => Leaking.Start("setsid sleep 1000.75 <&- >&- 2>&- &");
}

// The test leaves a process behind that starts another one long after the end of the test, and ends itself. By then the
// other process looks like one of the next test.
[TestCaseOrderer("ProcessRunner.HostileTests.ByName", "ProcessRunner.HostileTests")]
public sealed class LeakLaterTests : Neighbours
{
    private static string? s_file;

    [Fact]
    public void Leaks()
    {
        s_file = Path.GetTempFileName();
        Leaking.Start($"exec <&- >&- 2>&-; sleep 0.3; setsid sleep 1000.875 & echo $! > {s_file}");
    }

    [Fact]
    public void WaitsForIt_Passes()
    {
        if (s_file is not null)
        {
            SpinWait.SpinUntil(() => new FileInfo(s_file).Length > 0, TimeSpan.FromSeconds(60));
            File.Delete(s_file);
        }
    }
}

// The tests of a class run in the order of their ids, so each of the two is tried before the other by one of them.
public sealed class CompanyTests
{
    private static int s_runs;

    [Fact]
    public void One() => Assert.Equal(1, Interlocked.Increment(ref s_runs));

    [Fact]
    public void Other() => Assert.Equal(1, Interlocked.Increment(ref s_runs));
}

public sealed class FlakyTests : Neighbours
{
    [Fact]
    public void FailsOnce()
    {
        Console.WriteLine("printed by the flaky test");
        Assert.False(State.IsFirst("flaky-has-failed"), "the first time it fails");
    }
}

public sealed class OrdinaryTests
{
    [Fact]
    public void Fails()
    {
        Console.WriteLine("printed by the failing test");
        Assert.Equal(4, 2 + 3);
    }

    [Fact(Skip = "a reason")]
    public void Skipped()
    {
    }

    [Fact]
    [Trait("Speed", "slow")]
    public void Slow()
    {
        State.Meet("slow", "exclusive");
        Thread.Sleep(1200);
    }

    [Theory]
    [InlineData(1, "a \"quoted\" row\n")]
    [InlineData(2, "\ud800 half a pair")]
    public void Row_Passes(int number, string text) => Assert.True(number > 0 && text.Length > 0);
}

[CollectionDefinition("alone", DisableParallelization = true)]
public sealed class Alone;

[Collection("alone")]
public sealed class ExclusiveTests
{
    [Fact]
    public void Waits_Passes()
    {
        State.Meet("exclusive", "slow");
        Thread.Sleep(500);
    }
}

internal static class Leaking
{
    public static void Start(string command)
    {
        using Process process = Process.Start("/bin/sh", ["-c", command]);
    }
}

public sealed class ByName : ITestCaseOrderer
{
    public IEnumerable<TTestCase> OrderTestCases<TTestCase>(IEnumerable<TTestCase> testCases)
        where TTestCase : ITestCase => testCases.OrderBy(test => test.TestMethod.Method.Name, StringComparer.Ordinal);
}
