using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;
using Xunit.Abstractions;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Verifies that an engine with this option ends its children and their descendants, however its program ends.
/// </summary>
[OnlyOn(Systems.Linux, "process groups and /proc")]
[NativeBackend(".NET has nothing that outlives this process")]
public sealed class GuardianTests(ITestOutputHelper output)
{
    private const int TreeSize = 4;

    [Fact]
    public void KilledHost_With200Trees_LeavesNobody() => Guard.Run(() =>
        End(200, "sleep", detached: 0, NativeMethods.SIGKILL));

    [Theory]
    [InlineData(NativeMethods.SIGTERM)]
    [InlineData(NativeMethods.SIGINT)]
    [InlineData(NativeMethods.SIGHUP)]
    public void HostThatASignalEnds_LeavesNobody(int signal) => Guard.Run(() => End(16, "sleep", detached: 0, signal));

    [Fact]
    public void Host_ThatMayWriteNoFile_StartsGuardedChildren() => Guard.Run(() => HostProcess.Play("roll-size-limit"));

    [Theory]
    [InlineData("return")]
    [InlineData("throw")]
    public void HostThatEndsByItself_LeavesNobody(string ending) =>
        Guard.Run(() => End(16, ending, detached: 0, signal: 0));

    [Theory]
    [InlineData("return", 0)]
    [InlineData("sleep", NativeMethods.SIGKILL)]
    public void DetachedChildren_OutliveTheHostWithTheirDescendants(string ending, int signal) => Guard.Run(() =>
        End(16, ending, detached: 3, signal));

    [Theory]
    [InlineData("group", "clone")]
    [InlineData("group", "posix_spawn")]
    [InlineData("twice-forked", "clone")]
    [InlineData("renamed", "clone")]
    [InlineData("without-first-thread", "clone")]
    [InlineData("starting", "clone")]
    [InlineData("starting", "posix_spawn")]
    public void ChildrenThatAreHardToFind_EndWithAKilledHost(string kind, string way) => Guard.Run(() =>
    {
        using HiddenChildren children = new(kind, way);
        children.KillHost();
        Eventually.Is(() => !children.Ids.Any(ProcFs.IsAlive), "no child is left");
    });

    [Theory]
    [InlineData("clone")]
    [InlineData("posix_spawn")]
    public void DetachedChildren_WithoutMarks_OutliveAKilledHost(string way) => Guard.Run(() =>
    {
        using HiddenChildren children = new("detached", way);
        children.KillHost();
        Eventually.Is(() => !ProcFs.IsAlive(children.Guardian), "the guardian has ended");
        children.Ids.Should().OnlyContain(id => ProcFs.IsAlive(id));
    });

    // To an outside observer, the guardian is an ordinary child, but the engine does not count it.
    [Fact]
    public void Guardian_IsNotCountedAsAChild() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true });
        new ProcessCommand("true").Run(engine).IsSuccess.Should().BeTrue();
        (engine.LiveChildren, engine.StartedChildren).Should().Be((0, 1));
    });

    // The place of an ended child goes to the next child, and the place of a live child is never reused.
    [Fact]
    public void Roll_HasEachChildThatLives_AndDoesNotGrow() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true });
        ProcessCommand sleeper = new("sleep", "1000");
        using ChildProcess first = sleeper.Start(engine);
        using ChildProcess second = sleeper.Start(engine);
        int length = Roll(engine).Length;
        first.Stop();
        for (int i = 0; i < 5; i++)
        {
            using ChildProcess next = sleeper.Start(engine);
            string roll = Roll(engine);
            roll.Should().Contain($" {second.ProcessId} ")
                .And.Contain($" {next.ProcessId} ")
                .And.NotContain($" {first.ProcessId} ");
            roll.Length.Should().Be(length);
        }
    });

    private static string Roll(ProcessEngine engine) =>
        File.ReadAllText($"/proc/self/fd/{Internals.FamilyOf(engine).RollDescriptor}");

    private void End(int trees, string ending, int detached, int signal)
    {
        using TemporaryDirectory directory = new();
        using Trace spared = new("LIFE_TEST_DETACHED");
        string ready = directory.At("ready");
        using HostWithTrace host = new(
            "host-that-ends", $"{trees}", ready, ending, spared.Name, spared.Value, $"{detached}");
        HostWithTrace.WaitFor(ready);
        if (signal > 0)
        {
            Eventually.Is(
                () => host.Trace.Live().Count(one => one.Name == "sleep") >= (trees + detached) * (TreeSize - 1),
                "the trees have grown");
            _ = NativeMethods.Kill(host.Child.ProcessId, signal);
        }

        ProcessResult result = host.Child.Wait();
        Stopwatch watch = Stopwatch.StartNew();
        if (ending == "return")
        {
            result.ExitCode.Should().Be(0);
        }

        Eventually.Is(
            () => host.Trace.Live().All(one => spared.IsCarriedBy(one.Id)),
            "only detached processes are left");
        output.WriteLine(
            $"{trees} trees were gone {watch.ElapsedMilliseconds} ms after the end of the host ({result}).");
        spared.Live().Count.Should().BeGreaterThanOrEqualTo(detached * (TreeSize - 1));
    }
}
