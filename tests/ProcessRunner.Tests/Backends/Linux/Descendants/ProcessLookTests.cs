using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Descendants;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Descendants;

/// <summary>Tests which processes keep a look through the process table from its end.</summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[Collection(Alone.Name)]
[NativeBackend("the Linux backend itself")]
public sealed class ProcessLookTests
{
    // The look sees a child in the middle of its exec before the starter knows its id. All stops waited five seconds.
    [Fact]
    public void UnclearProcess_ThatTurnsOutToBeOurs_HoldsUpNothing() => Guard.Run(() =>
    {
        using ChildProcess child = new ProcessCommand("sleep", "1000").Start();
        int[] others = [.. Directory.EnumerateDirectories("/proc").Select(Path.GetFileName)
            .Select(name => int.TryParse(name, out int id) ? id : 0).Where(id => id != 0 && id != child.ProcessId)];
        ProcessLook look = new(new ProcessTable(), "prefix");
        look.Begin();
        WithoutDescriptors(() => look.TryFinish([], [.. others])).Should().BeFalse();
        Eventually.Is(() => look.TryFinish([], [.. others, child.ProcessId]), "the look is at its end");
        child.Kill();
    });

    // Kernel threads never become anything else, and there are hundreds of them. Nor can a process that is older than
    // this one become its descendant.
    [Fact]
    public void KernelThreadsAndOlderProcesses_AreReadOnce() => Guard.Run(() =>
    {
        new ProcessTable().ReadStat(Environment.ProcessId, out ProcessStat own).Should().Be(ProcessSight.Clear);
        int strangers = Directory.EnumerateDirectories("/proc").Count(folder => IsStranger(folder, own.StartTime));
        ProcessLook look = new(new ProcessTable(), "prefix");
        int Reads()
        {
            look.Begin();
            int thread = Environment.CurrentManagedThreadId;
            int opened = 0;
            FaultPoint.Decide = call =>
            {
                opened += call == "openat" && Environment.CurrentManagedThreadId == thread ? 1 : 0;
                return 0;
            };
            look.TryFinish([], [Environment.ProcessId]);
            FaultPoint.Decide = null;
            return opened;
        }

        // Other processes come and go meanwhile.
        int first = Reads();
        Eventually.Is(() => Reads() <= first - strangers, "a look leaves out all strangers");
    });

    // A descendant that forked and ended between the list and the look was missed, and so was its child.
    [Fact]
    public void ProcessThatEndsBeforeItIsLookedAt_CausesAnotherLookAtAll() => Guard.Run(() =>
    {
        using ChildProcess child = new ProcessCommand("sleep", "1000").Start();
        ProcessLook look = new(new ProcessTable(), "prefix");
        look.Begin();
        bool isAtEnd = AfterTheList(
            () =>
            {
                child.Kill();
                child.Wait();
            },
            () => look.TryFinish([], [Environment.ProcessId]));

        isAtEnd.Should().BeFalse();
        Eventually.Is(() => look.TryFinish([], [Environment.ProcessId]), "the look is at its end");
    });

    // Other processes come and go meanwhile, so a look may need more than one turn.
    [Fact]
    public void ZombieThatIsKnown_CausesNoOtherLook() => Guard.Run(() =>
    {
        using ChildProcess parent = new ProcessCommand("sh", "-c", "true & exec sleep 1000").Start();
        ProcessTable table = new();
        Eventually.Is(
            () => Directory.EnumerateDirectories("/proc").Select(Path.GetFileName).Any(name =>
                int.TryParse(name, out int processId)
                && table.ReadStat(processId, out ProcessStat stat) == ProcessSight.Clear
                && !stat.IsLive
                && stat.GroupId == parent.ProcessId),
            "there is a zombie");
        ProcessLook look = new(table, "prefix");
        Eventually.Is(
            () =>
            {
                look.Begin();
                return look.TryFinish([], [Environment.ProcessId]);
            },
            "one look is enough");
    });

    private static bool IsStranger(string folder, ulong ownStartTime) =>
        int.TryParse(Path.GetFileName(folder), out int processId)
        && new ProcessTable().ReadStat(processId, out ProcessStat stat) == ProcessSight.Clear
        && (stat.IsKernelThread || stat.StartTime < ownStartTime);

    private static bool WithoutDescriptors(Func<bool> look) => DuringTheLook(() => Errno.TooManyOpenFiles, look);

    private static bool AfterTheList(Action happens, Func<bool> look)
    {
        Action? next = happens;
        return DuringTheLook(
            () =>
            {
                Action? first = next;
                next = null;
                first?.Invoke();
                return 0;
            },
            look);
    }

    // Before the look at the first process, the table itself is opened, and the file that tells whose it is.
    private static bool DuringTheLook(Func<int> decide, Func<bool> look)
    {
        int thread = Environment.CurrentManagedThreadId;
        int opened = 0;
        FaultPoint.Decide = call =>
            call == "openat" && Environment.CurrentManagedThreadId == thread && opened++ > 1 ? decide() : 0;
        try
        {
            return look();
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    }
}
