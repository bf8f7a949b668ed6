using System;
using System.Linq;
using Xunit;

namespace ProcessRunner.HostileTests;

// The first and the last test write more than is kept of one test, if they are asked to. The second one fails after
// that, and not alone, so that this failure is the one that is told.
[TestCaseOrderer("ProcessRunner.HostileTests.ByName", "ProcessRunner.HostileTests")]
public sealed class ChattyTests
{
    private static readonly bool s_isAsked = Environment.GetEnvironmentVariable("HOSTILE_CHAT") is not null;

    private static bool s_hasWritten;

    [Fact]
    public void First() => Write("first");

    [Fact]
    public void Second()
    {
        if (s_hasWritten)
        {
            Console.WriteLine("written by the second test");
            Assert.Fail("on purpose");
        }
    }

    [Fact]
    public void Third() => Write("third");

    private static void Write(string name)
    {
        if (s_isAsked)
        {
            s_hasWritten = true;
            string line = $"{name} {new string('x', 93)}\n";
            Console.Write($"begin of {name}\n{string.Concat(Enumerable.Repeat(line, 30_000))}end of {name}\n");
        }
    }
}
