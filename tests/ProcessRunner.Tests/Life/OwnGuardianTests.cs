using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Descendants;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Tests.Streams;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;
using ProcessEntry = ProcessRunner.TestSupport.ProcessEntry;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies the guardian of an engine of this process, in which no other test has one meanwhile.</summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Linux, "process groups and /proc")]
[NativeBackend(".NET has nothing that outlives this process")]
public sealed class OwnGuardianTests
{
    [Fact]
    public void DisposedEngine_EndsItsGuardianAndLeavesNoZombieAndNoDescriptor() => Guard.Run(() =>
    {
        using Trace trace = new();
        using TemporaryDirectory directory = new();
        int guardian;
        using (ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true }))
        {
            HashSet<int> others = [.. Guardians()];
            ProcessCommand command = TestPrograms.Shell(
                "setsid sleep 1000 >/dev/null 2>&1 & echo >\"$1\"; exit 7", directory.At("left")) with
            {
                Descendants = DescendantPolicy.Leave,
                Environment = trace.Variables,
            };
            command.Run(engine).ExitCode.Should().Be(7);
            guardian = HiddenChildren.GuardianOf(Environment.ProcessId, others);
            ProcessEntry entry = ProcFs.Children.Single(one => one.Id == guardian);
            entry.SessionId.Should().Be(guardian, "a Ctrl-C or a hang-up of the terminal must not reach it");
            Directory.GetFiles($"/proc/{guardian}/fd").Select(Path.GetFileName).Should().Contain(["0", "1", "2"]);
            File.Exists(directory.At("left")).Should().BeTrue();
        }

        ProcFs.All().Should().NotContain(entry => entry.Id == guardian, "not even as a zombie");
        trace.Live().Should().BeEmpty("the descendants of one child are killed with the engine");
    });

    [Fact]
    public void EngineWithoutTheOption_HasNoGuardian() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new();
        HashSet<int> others = [.. Guardians()];
        new ProcessCommand("true").Run(engine);
        Guardians().Where(id => !others.Contains(id)).Should().BeEmpty();
    });

    // Nothing is left to kill the children then, but nothing else may break.
    [Fact]
    public void KilledGuardian_HarmsNeitherRunsNorDetachNorDispose() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true });
        HashSet<int> others = [.. Guardians()];
        new ProcessCommand("true").Run(engine);
        int guardian = HiddenChildren.GuardianOf(Environment.ProcessId, others);
        _ = NativeMethods.Kill(guardian, NativeMethods.SIGKILL);
        using ChildProcess child = TestPrograms.Shell("sleep 0.2; exit 7").Start(engine);
        child.Detach();
        child.Wait().ExitCode.Should().Be(7);
    });

    // grep can hang in the kernel, at a process whose memory cannot be read.
    [Fact]
    public void GuardianThatHangs_IsKilledAfterAWhile() => Guard.Run(() =>
    {
        using ChildRoll roll = new();
        HashSet<int> others = [.. Guardians()];
        Guardian guardian = new(Spawner.Shared, ChildMark.NewPrefix(), killsUnlisted: false, roll.Descriptor);
        int shell = HiddenChildren.GuardianOf(Environment.ProcessId, others);
        const int SIGSTOP = 19;
        _ = NativeMethods.Kill(shell, SIGSTOP);
        Eventually.Is(() => ProcFs.All().Any(entry => entry.Id == shell && entry.State == 'T'), "it is suspended");

        guardian.Finish(TimeSpan.Zero);

        ProcFs.All().Should().NotContain(entry => entry.Id == shell, "not even as a zombie");
    });

    [Fact]
    public void GuardianThatHangsAtTheEndOfItsEngine_HoldsUpNoOtherEngine() =>
        Guard.Run(() => HostProcess.Play("held-guardian"));

    // The end of an engine would leave its guardian behind.
    [Fact]
    public void EndOfAGuardian_ThatIsInterrupted_GoesOn() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        new ProcessCommand("true").Run(engine);
        LinuxFamily family = Internals.FamilyOf(engine);
        Exception? thrown = null;
        Thread thread = new(() =>
        {
            Thread.CurrentThread.Interrupt();
            thrown = StreamingSupport.Thrown(family.EndGuard);
        });
        lock (Internals.GateOf(family))
        {
            thread.Start();
            Eventually.Is(
                () => !thread.IsAlive || thread.ThreadState.HasFlag(ThreadState.WaitSleepJoin),
                "it waits for the lock");
        }

        thread.Join();
        thrown.Should().BeNull();
    });

    private static IEnumerable<int> Guardians() => HiddenChildren.GuardiansOf(Environment.ProcessId);
}
