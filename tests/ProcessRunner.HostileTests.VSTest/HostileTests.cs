using System;
using System.IO;
using System.Threading;
using NUnit.Framework;

namespace HostileVSTest;

public sealed class OrdinaryTests
{
    [Test]
    public void Passes()
    {
    }

    [Test]
    public void Fails() => Assert.That(2 + 3, Is.EqualTo(4));

    [Test]
    [Ignore("a reason")]
    public void Skipped()
    {
    }

    [TestCase(TestName = @"Odd & | = ! ~ \ name")]
    public void Odd()
    {
    }

    [TestCase(1)]
    [TestCase(-1)]
    public void Row(int number) => Assert.That(number > 0);
}

[TestFixture(1)]
public sealed class FixtureTests(int number)
{
    [Test]
    public void Fails() => Assert.That(number, Is.EqualTo(2));
}

public sealed class CrashTests
{
    [Test]
    public void CrashesIfAsked()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_CRASH") == "1")
        {
            Environment.FailFast("on purpose");
        }
    }
}

public sealed class TearDownTests
{
    [Test]
    public void Passes()
    {
    }

    [OneTimeTearDown]
    public void End()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_CLEANUP") == "throw")
        {
            throw new InvalidOperationException("the class fails at its end");
        }
    }
}

public sealed class HangTests
{
    [Test]
    public void HangsIfAsked()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_HANG") == "1")
        {
            File.WriteAllText(
                Path.Combine(Environment.GetEnvironmentVariable("HOSTILE_STATE")!, "hanging"),
                $"{Environment.ProcessId}");
            new ManualResetEventSlim().Wait();
        }
    }
}
