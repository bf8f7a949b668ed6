using System;
using System.Diagnostics;
using System.IO.Pipes;
using System.Runtime.InteropServices;
using System.Threading;
using Microsoft.VisualStudio.TestTools.UnitTesting;

namespace HostileMSTest;

[TestClass]
public sealed class OrdinaryTests
{
    [TestMethod]
    [TestCategory("kind")]
    public void Passes() => Console.WriteLine("written by a passing test");

    [TestMethod]
    public void Fails()
    {
        Console.WriteLine("written by the failing test");
        Assert.AreEqual(4, nameof(Fails).Length);
    }

    [TestMethod]
    [Ignore("a reason")]
    public void Skipped()
    {
    }

    // A frame of an impossible length, by a connection of its own to the pipe that the program reports to.
    [TestMethod]
    public void Disturbs_Passes()
    {
        string[] words = Environment.GetCommandLineArgs();
        using NamedPipeClientStream pipe = new(words[Array.IndexOf(words, "--dotnet-test-pipe") + 1]);
        pipe.Connect();
        pipe.Write([255, 255, 255, 255]);
    }

    [TestMethod]
    [DataRow(1, "a \"quoted\" row")]
    [DataRow(2, "")]
    [DataRow(-1, "")]
    public void Row(int number, string text) => Assert.IsTrue(number > 0 && text.Length >= 0);
}

[TestClass]
public sealed class FoldedTests
{
    [TestMethod(UnfoldingStrategy = TestDataSourceUnfoldingStrategy.Fold)]
    [DataRow(1)]
    [DataRow(2)]
    [DataRow(-1)]
    public void Row(int number) => Assert.IsTrue(number > 0);

    [ClassCleanup]
    public static void End()
    {
        if (int.TryParse(Environment.GetEnvironmentVariable("HOSTILE_EXIT_AFTER"), out int milliseconds))
        {
            Thread.Sleep(milliseconds);
            Environment.Exit(0);
        }
    }
}

[TestClass]
public sealed class ExitCodeTests
{
    [TestMethod]
    public void Passes()
    {
        if (int.TryParse(Environment.GetEnvironmentVariable("HOSTILE_EXIT_CODE"), out int exitCode))
        {
            AppDomain.CurrentDomain.ProcessExit += (_, _) => Environment.ExitCode = exitCode;
        }
    }
}

[TestClass]
public sealed class CrashTests
{
    [TestMethod]
    public void Before_Passes()
    {
    }

    [TestMethod]
    public void Crashes() => Environment.FailFast("on purpose");

    [TestMethod]
    public void Other_Passes()
    {
    }
}

[TestClass]
public sealed class ExitTests
{
    [TestMethod]
    public void Before_Passes()
    {
    }

    [TestMethod]
    public void Exits() => Environment.Exit(0);

    [TestMethod]
    public void Other_Passes()
    {
    }
}

[TestClass]
public sealed class EndlessTests
{
    [TestMethod]
    public void Before_Passes()
    {
    }

    [TestMethod]
    public void Never() => new ManualResetEventSlim().Wait(CancellationToken.None);

    [TestMethod]
    public void Other_Passes()
    {
    }
}

[TestClass]
public sealed class LeakTests
{
    [TestMethod]
    public void Before_Passes()
    {
    }

    [TestMethod]
    public void Leaks()
    {
        using Process process = Process.Start("/bin/sh", ["-c", "setsid sleep 3000.25 <&- >&- 2>&- &"]);
    }

    [TestMethod]
    public void Other_Passes()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_OTHER") == "hang")
        {
            new ManualResetEventSlim().Wait(CancellationToken.None);
        }
    }
}

// The request to end makes the first test fail, and lets the session go on to its end.
[TestClass]
public sealed class EndsAtStopTests
{
    [TestMethod]
    public void First()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_STOP") is null)
        {
            return;
        }

        ManualResetEventSlim isStopped = new();
        using PosixSignalRegistration stop = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal =>
        {
            signal.Cancel = true;
            isStopped.Set();
        });
        isStopped.Wait(CancellationToken.None);
        Assert.Fail("the stop ends what the test needs");
    }

    [TestMethod]
    public void Next()
    {
    }
}

[TestClass]
[DoNotParallelize]
public sealed class ExclusiveTests
{
    [TestMethod]
    public void Waits_Passes() => Thread.Sleep(500);
}
