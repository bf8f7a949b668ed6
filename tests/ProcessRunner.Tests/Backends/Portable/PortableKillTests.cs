using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>
/// Verifies a kill whose look for the descendants fails, as it does while another process of the system starts.
/// </summary>
[Collection(Alone.Name)]
public sealed class PortableKillTests
{
    private const int Failed = 1;

    [Fact]
    public void Look_ThatFailsAgainAndAgain_IsRepeated() => Guard.Run(() =>
    {
        const int Failures = 5;
        int looks = 0;
        FaultPoint.Decide =
            call => call == "Process.Kill" && Interlocked.Increment(ref looks) <= Failures ? Failed : 0;
        try
        {
            using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
            using TemporaryDirectory directory = new();
            using ChildProcess child = StartWithDescendant(engine, directory);
            child.Kill();
            ProcessResult result = child.Wait();
            result.StoppedBy.Should().Be(StopCause.Request);
            result.StandardOutput.IsHeldOpen.Should().BeFalse();
            looks.Should().BeGreaterThan(Failures);
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });

    [Fact]
    public void Look_ThatNeverSucceeds_KillsTheChild() => Guard.Run(() =>
    {
        FaultPoint.Decide = call => call == "Process.Kill" ? Failed : 0;
        try
        {
            using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
            using ChildProcess child = TestPrograms.Quick("sleep", "1000000").Start(engine);
            child.Kill();
            child.Wait().StoppedBy.Should().Be(StopCause.Request);
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });

    // On a busy machine a look takes long: few of them fit into the time that a kill has.
    [Fact]
    public void Look_ThatTakesLong_IsRepeatedJustAsOften() => Guard.Run(() =>
    {
        const int Failures = 60;
        int looks = 0;
        using ManualResetEventSlim never = new();
        FaultPoint.Decide = call =>
        {
            if (call != "Process.Kill" || Interlocked.Increment(ref looks) > Failures)
            {
                return 0;
            }

            never.Wait(TimeSpan.FromMilliseconds(100));
            return Failed;
        };
        try
        {
            using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
            using TemporaryDirectory directory = new();
            using ChildProcess child = StartWithDescendant(engine, directory);
            child.Kill();
            child.Wait().StoppedBy.Should().Be(StopCause.Request);
            looks.Should().BeGreaterThan(Failures);
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });

    // The thread that has seen the end waits for the look, which another kill does before the repetition.
    [Fact]
    public void Look_OfAnotherKill_LetsAChildEndThatIsDeadAlready() => Guard.Run(() =>
    {
        Thread another = Thread.CurrentThread;
        int looks = 0;
        FaultPoint.Decide = call =>
        {
            if (call != "Process.Kill" || Thread.CurrentThread == another)
            {
                return 0;
            }

            Interlocked.Increment(ref looks);
            return Failed;
        };
        try
        {
            using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
            using ChildProcess child = TestPrograms.Quick("sleep", "1000000").Start(engine);
            Thread killer = new(child.Kill);
            killer.Start();
            killer.Join();
            using (Process process = Process.GetProcessById(child.ProcessId))
            {
                process.Kill();
                process.WaitForExit();
            }

            int seen = Volatile.Read(ref looks);
            Eventually.Is(
                () => Volatile.Read(ref looks) > seen + 10 || !child.IsRunning, "the end has been seen by now");
            child.Kill();
            child.Wait().StoppedBy.Should().Be(StopCause.Request);
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });

    // A killed process dies when it gets a processor, and nothing tells which processes of the tree are dead. This
    // holder is in no tree, and ends when the test says so.
    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Stream_HeldAfterAKill_IsReadOnForAWhile() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        string ready = directory.Fifo("ready");
        string go = directory.Fifo("go");
        ProcessCommand command = TestPrograms.Shell(
            "(sh -c 'read x <\"$1\"' sh \"$2\" &); echo ready >\"$1\"; exec sleep 1000000", ready, go);
        using ChildProcess child = (command with { DrainGrace = TimeSpan.FromMinutes(1) }).Start(engine);
        File.ReadAllText(ready);
        long begin = Stopwatch.GetTimestamp();
        child.Kill();
        child.TryWait(TimeSpan.FromMilliseconds(300), out _);
        File.WriteAllText(go, "go\n");
        bool isHeld = child.Wait().StandardOutput.IsHeldOpen;
        (isHeld && Stopwatch.GetElapsedTime(begin) < TimeSpan.FromSeconds(5)).Should().BeFalse();
    });

    // .NET can have killed the child before its look fails.
    [Fact]
    [OnlyOn(Systems.Windows, "no other system tells the descendants of a process that has ended")]
    public void Child_ThatEndsBeforeTheLook_TakesItsDescendantsAlong() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        using ChildProcess child = TestPrograms.Quick(
            "spawn", "touch", directory.At("ready"), "sleep", "1000000", "end", "wait-file", directory.At("go"))
            .Start(engine);
        directory.WaitFor("ready");
        using Process process = Process.GetProcessById(child.ProcessId);
        int looks = 0;
        FaultPoint.Decide = call =>
        {
            if (call != "Process.Kill" || Interlocked.Increment(ref looks) > 1)
            {
                return 0;
            }

            directory.File("go");
            process.WaitForExit();
            return Failed;
        };
        try
        {
            child.Kill();
            child.Wait().StandardOutput.IsHeldOpen.Should().BeFalse();
            looks.Should().BeGreaterThan(1);
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });

    // The descendant runs and holds the output.
    private static ChildProcess StartWithDescendant(ProcessEngine engine, TemporaryDirectory directory)
    {
        ChildProcess child = TestPrograms.Quick(
            "spawn", "touch", directory.At("ready"), "sleep", "1000000", "end", "sleep", "1000000").Start(engine);
        directory.WaitFor("ready");
        return child;
    }
}
