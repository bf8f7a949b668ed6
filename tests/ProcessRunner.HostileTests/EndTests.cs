using System;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace ProcessRunner.HostileTests;

// The test leaves a shell behind. It starts another process and ends while the fixture comes to its end, when nothing
// looks at it any more. Then the fixture ends its process, if it is asked to.
public sealed class LateShell : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly string _files = Path.GetTempFileName();
    private int _processId;

    public void Start()
    {
        using Process process = Process.Start(
            "/bin/sh",
            [
                "-c",
                $"exec <&- >&- 2>&-; until [ -e {_files}.go ]; do sleep 0.01; done; "
                    + $"setsid sleep 1000.125 & echo $! >{_files}",
            ]);
        _processId = process.Id;
    }

    public void Dispose()
    {
        File.WriteAllText($"{_files}.go", "");
        if (_processId != 0)
        {
            SpinWait.SpinUntil(() => new FileInfo(_files).Length > 0, s_patience);
            SpinWait.SpinUntil(() => !Directory.Exists($"/proc/{_processId}"), s_patience);
        }

        File.Delete($"{_files}.go");
        File.Delete(_files);
        FailingFixture.End();
    }
}

public sealed class LeakAtEndTests(LateShell shell) : IClassFixture<LateShell>
{
    [Fact]
    public void Leaks() => shell.Start();

    [Fact]
    public void Other()
    {
    }
}

// Runs a program, if there is one, that writes a file when its first thread has ended and its others live on.
public sealed class LostThreadTests : IClassFixture<FailingFixture>
{
    [Fact]
    public void Leaks()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_LOST_THREAD") is { Length: > 0 } program)
        {
            string file = State.File("has-lost-its-thread");
            File.Delete(file);
            using Process process = Process.Start(program, ["lost-first-thread", "/dev/null", file]);
            SpinWait.SpinUntil(() => File.Exists(file));
        }
    }

    [Fact]
    public void Other()
    {
    }
}

// The request to end lets the first test end and the second one begin, which does not end then.
[TestCaseOrderer("ProcessRunner.HostileTests.ByName", "ProcessRunner.HostileTests")]
public sealed class EndsAtStopTests
{
    private static readonly ManualResetEventSlim s_stop = new();

    [Fact]
    public void First()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_STOP") is string way)
        {
            using PosixSignalRegistration stop = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal =>
            {
                signal.Cancel = true;
                s_stop.Set();
            });
            File.WriteAllText(State.File("waits-for-the-stop"), "");
            s_stop.Wait();
            Assert.True(way == "goes-on", "the stop ends what the test needs");
        }
    }

    [Fact]
    public void Next()
    {
        if (s_stop.IsSet)
        {
            new ManualResetEventSlim().Wait();
        }
    }
}

// What the test leaves to the end of its process ends that as the variable says.
public sealed class ProcessEndTests
{
    [Fact]
    public void Passes()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_PROCESS_END") is string way)
        {
            AppDomain.CurrentDomain.ProcessExit += (_, _) => End(way);
        }
    }

    private static void End(string way)
    {
        switch (way)
        {
            case "crash":
                Environment.FailFast("on purpose");
                break;
            case "hang":
                new ManualResetEventSlim().Wait();
                break;
            default:
                Environment.ExitCode = 3;
                break;
        }
    }
}

// Two collections that run beside each other: the fixture of one ends the process while the test of the other runs.
public sealed class FixtureBesideOthers : IDisposable
{
    public static TaskCompletionSource OtherHasBegun { get; } = new();

    public static bool IsAsked => Environment.GetEnvironmentVariable("HOSTILE_BESIDE") == "exit";

    public static string File => State.File("fixture-has-come-to-its-end");

    public void Dispose()
    {
        if (!IsAsked)
        {
            return;
        }

        if (!System.IO.File.Exists(File))
        {
            OtherHasBegun.Task.Wait();
            System.IO.File.WriteAllText(File, "");
        }

        Environment.Exit(0);
    }
}

public sealed class BesideOthersTests : IClassFixture<FixtureBesideOthers>
{
    [Fact]
    public void EndsEarly()
    {
    }
}

public sealed class OthersTests
{
    [Fact]
    public async Task RunsMeanwhile()
    {
        if (FixtureBesideOthers.IsAsked && !File.Exists(FixtureBesideOthers.File))
        {
            FixtureBesideOthers.OtherHasBegun.SetResult();
            await Task.Delay(Timeout.Infinite);
        }
    }
}
