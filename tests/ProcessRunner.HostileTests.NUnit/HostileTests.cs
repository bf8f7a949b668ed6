using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Threading;
using NUnit.Framework;

namespace HostileNUnit;

public sealed class OrdinaryTests
{
    [Test]
    [Category("kind")]
    public void Passes() => Console.WriteLine("written by a passing test");

    [Test]
    public void Fails()
    {
        Console.WriteLine("written by the failing test");
        Assert.That(2 + 3, Is.EqualTo(4));
    }

    [Test]
    [Ignore("a reason")]
    public void Skipped()
    {
    }

    [TestCase(1, "a \"quoted\" row")]
    [TestCase(2, "")]
    [TestCase(-1, "")]
    public void Row(int number, string text) => Assert.That(number > 0 && text.Length >= 0);
}

public sealed class CrashTests
{
    [Test]
    public void Before_Passes()
    {
    }

    [Test]
    public void Crashes() => Environment.FailFast("on purpose");

    [Test]
    public void Other_Passes()
    {
    }
}

public sealed class ExitTests
{
    [Test]
    public void Before_Passes()
    {
    }

    [Test]
    public void Exits() => Environment.Exit(0);

    [Test]
    public void Other_Passes()
    {
    }
}

public sealed class EndlessTests
{
    [Test]
    public void Before_Passes()
    {
    }

    [Test]
    public void Never() => new ManualResetEventSlim().Wait(CancellationToken.None);

    [Test]
    public void Other_Passes()
    {
    }
}

public sealed class LeakTests
{
    [Test]
    public void Before_Passes()
    {
    }

    [Test]
    public void Leaks()
    {
        using Process process = Process.Start("/bin/sh", ["-c", "setsid sleep 3000.5 <&- >&- 2>&- &"]);
    }

    [Test]
    public void Other_Passes()
    {
    }
}

// In its first run the test leaves a process behind, if it is asked to. In its second run it does not.
public sealed class LeakOnceTests
{
    private static readonly string? s_second = Environment.GetEnvironmentVariable("HOSTILE_SECOND");

    [Test]
    public void First_Passes() => Run("first", leaks: true);

    [Test]
    public void Second_Passes() => Run("second", leaks: false);

    private static void Run(string name, bool leaks)
    {
        if (s_second is null)
        {
            return;
        }

        string file = Path.Combine(Environment.GetEnvironmentVariable("HOSTILE_STATE")!, name);
        if (!File.Exists(file))
        {
            File.WriteAllText(file, "");
            if (leaks)
            {
                using Process process = Process.Start("/bin/sh", ["-c", "setsid sleep 3000.75 <&- >&- 2>&- &"]);
            }
        }
        else if (s_second.Contains(name))
        {
            Assert.That(!s_second.Contains("fail"));
            Environment.Exit(0);
        }
    }
}

// The second test ends its process after the first one, if it is asked to.
public sealed class OrderTests
{
    private static bool s_hasRun;

    [Test]
    public void First() => s_hasRun = Environment.GetEnvironmentVariable("HOSTILE_ORDER") == "crash";

    [Test]
    public void Second()
    {
        if (s_hasRun)
        {
            Environment.FailFast("on purpose");
        }
    }
}

[NonParallelizable]
public sealed class ExclusiveTests
{
    [Test]
    public void Waits_Passes() => Thread.Sleep(500);
}

// The data differ in each process, if they are asked to: no other one finds a row again.
public sealed class RandomRowTests
{
    public static IEnumerable<string> Rows => Environment.GetEnvironmentVariable("HOSTILE_RANDOM") is null
        ? ["1", "2", "3"]
        : [$"{Guid.NewGuid()}", $"{Guid.NewGuid()}", $"{Guid.NewGuid()}"];

    [TestCaseSource(nameof(Rows))]
    public void Row(string text) => Assert.That(text, Is.Not.Empty);
}
