using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Descendants;
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

    private static bool IsStranger(string folder, ulong ownStartTime) =>
        int.TryParse(Path.GetFileName(folder), out int processId)
        && new ProcessTable().ReadStat(processId, out ProcessStat stat) == ProcessSight.Clear
        && (stat.IsKernelThread || stat.StartTime < ownStartTime);

    // The process table itself can be listed.
    private static bool WithoutDescriptors(Func<bool> look)
    {
        int thread = Environment.CurrentManagedThreadId;
        int opened = 0;
        FaultPoint.Decide = call =>
            call == "openat" && Environment.CurrentManagedThreadId == thread && opened++ > 0
                ? Errno.TooManyOpenFiles
                : 0;
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
