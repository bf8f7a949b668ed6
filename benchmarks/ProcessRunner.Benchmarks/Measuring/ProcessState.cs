using System;
using System.Globalization;
using System.IO;
using System.Linq;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>
/// Represents the resources that this process holds at a moment, as the kernel and the garbage collector count them.
/// </summary>
internal readonly record struct ProcessState(int Descriptors, int Threads, int Zombies, long ManagedBytes, long Memory)
{
    public const string DescriptorsKey = "descriptors";
    public const string ThreadsKey = "threads";
    public const string ZombiesKey = "zombies";
    public const string ManagedKey = "managed";
    public const string MemoryKey = "memory";

    /// <summary>
    /// Gets the largest resident set of this process so far, in bytes. The value of getrusage(2) is unsuitable: it
    /// starts with the resident set of the process that started this process.
    /// </summary>
    public static long PeakMemory
    {
        get
        {
            string line = File.ReadLines("/proc/self/status")
                .First(line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
            string kibibytes = line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)[1];
            return long.Parse(kibibytes, CultureInfo.InvariantCulture) * 1024;
        }
    }

    public static int CountThreads() => Directory.GetDirectories("/proc/self/task").Length;

    public static ProcessState Now()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        long managed = GC.GetTotalMemory(forceFullCollection: true);
        return new ProcessState(
            Directory.GetFileSystemEntries("/proc/self/fd").Length,
            CountThreads(),
            CountZombies(),
            managed,
            Environment.WorkingSet);
    }

    public void AddTo(Measurement measurement, Func<string, string> key)
    {
        measurement[key(DescriptorsKey)] = Descriptors;
        measurement[key(ThreadsKey)] = Threads;
        measurement[key(ZombiesKey)] = Zombies;
        measurement[key(ManagedKey)] = ManagedBytes;
        measurement[key(MemoryKey)] = Memory;
    }

    private static int CountZombies() =>
        Directory.GetDirectories("/proc/self/task")
            .SelectMany(task => File.ReadAllText(Path.Combine(task, "children"))
                .Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Count(IsZombie);

    private static bool IsZombie(string processId)
    {
        try
        {
            string status = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{processId}/stat"));
            return status.Contains(") Z ", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            // The process has been reaped in between.
            return false;
        }
    }
}
