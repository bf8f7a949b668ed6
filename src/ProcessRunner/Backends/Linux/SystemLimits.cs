using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Provides estimates of the descriptors, processes, pipes and memory that the kernel grants this process at the
/// moment. A limit that cannot be read does not count. Stateless and thread-safe.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class SystemLimits
{
    private const int Root = 0;

    // Two pipes and a pidfd. During the start the child's ends of the pipes are open as well.
    private const int DescriptorsPerChild = 3;
    private const int SpareDescriptors = 24;
    private const int SpareProcesses = 8;
    private const int PagesPerPipe = 16;
    private const int PipesPerChild = 2;

    /// <summary>Estimates how many more children fit: at least one, because a start can always be tried.</summary>
    public static int EstimateRoom()
    {
        long room = Math.Min(Descriptors(), Math.Min(Processes(), Pipes()));
        return (int)Math.Clamp(room, 1, int.MaxValue);
    }

    /// <summary>
    /// Returns the available memory in bytes: MemAvailable of proc_meminfo(5) or, if less, what the control groups have
    /// left.
    /// </summary>
    public static long AvailableMemory()
    {
        long? kilobytes = KernelText.NumberAfter("MemAvailable:", KernelText.Of("/proc/meminfo"));
        return Math.Min(kilobytes * 1024 ?? long.MaxValue, ControlGroups.OfThisProcess.Memory);
    }

    private static long Descriptors()
    {
        long limit = LibC.SoftLimitOf(LibC.RLIMIT_NOFILE);
        return limit == long.MaxValue ? limit : (limit - OpenDescriptors() - SpareDescriptors) / DescriptorsPerChild;
    }

    private static long Processes()
    {
        long left = ControlGroups.OfThisProcess.Processes;
        uint user = LibC.GetEffectiveUserId();
        if (user != Root && LibC.SoftLimitOf(LibC.RLIMIT_NPROC) is < long.MaxValue and long limit)
        {
            left = Math.Min(left, limit - TasksOf(user));
        }

        return left == long.MaxValue ? left : left - SpareProcesses;
    }

    // The soft limit does not fail a pipe, it only makes it smaller (pipe(7)). The hard limit is off by default.
    private static long Pipes()
    {
        long pages = KernelText.Number(KernelText.Of("/proc/sys/fs/pipe-user-pages-hard"));
        return pages is 0 or long.MaxValue || LibC.GetEffectiveUserId() == Root
            ? long.MaxValue
            : pages / PagesPerPipe / PipesPerChild;
    }

    // The kernel counts threads, not processes.
    private static long TasksOf(uint user)
    {
        long tasks = 0;
        List<ProcessEntry> processes = [];
        new ProcessTable().List(processes);
        foreach ((int processId, _) in processes)
        {
            string[] status = KernelText.Of($"/proc/{processId}/status").Split('\n');
            string? owner = status.FirstOrDefault(line => line.StartsWith("Uid:", StringComparison.Ordinal));
            if (owner?.Split('\t') is [_, string real, ..] && KernelText.Number(real) == user)
            {
                string threads = status.First(line => line.StartsWith("Threads:", StringComparison.Ordinal));
                tasks += KernelText.Number(threads.AsSpan("Threads:".Length));
            }
        }

        return tasks;
    }

    // Uses the C library: .NET's enumeration resolves the target of every link, and with thousands of children there
    // are thousands of links.
    private static long OpenDescriptors()
    {
        nint directory = LibC.OpenDirectory("/proc/self/fd");
        if (directory == 0)
        {
            return 0;
        }

        // Excludes the directory's own descriptor, "." and "..".
        long count = -3;
        while (LibC.ReadDirectory(directory) is not null)
        {
            count++;
        }

        _ = LibC.CloseDirectory(directory);
        return count;
    }
}
