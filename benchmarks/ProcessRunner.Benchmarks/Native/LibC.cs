using System.Runtime.InteropServices;

namespace ProcessRunner.Benchmarks.Native;

/// <summary>What the races and the poll(2) rival need of the C library.</summary>
internal static unsafe partial class LibC
{
    public const short PollIn = 1;
    public const int ClockMonotonic = 1;
    public const int ClockRealtime = 0;
    public const int InterruptedCall = 4;

    private const string Library = "libc";
    private const int ThisProcess = 0;
    private const int OpenFiles = 7;

    /// <summary>User and system time of this process so far, its children's left out.</summary>
    public static double ProcessorMilliseconds
    {
        get
        {
            Usage usage;
            _ = GetUsage(ThisProcess, &usage);
            return ((usage.UserSeconds + usage.SystemSeconds) * 1e3)
                + ((usage.UserMicroseconds + usage.SystemMicroseconds) / 1e3);
        }
    }

    /// <summary>A clock of the kernel, in nanoseconds.</summary>
    public static long Nanoseconds(int clock)
    {
        Time time;
        _ = ClockGetTime(clock, &time);
        return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
    }

    /// <summary>Lets this process have as many descriptors as it may have without a privilege.</summary>
    /// <returns>How many that are.</returns>
    public static long RaiseDescriptorLimit()
    {
        Limit limit;
        _ = GetLimit(OpenFiles, &limit);
        limit.Soft = limit.Hard;
        _ = SetLimit(OpenFiles, &limit);
        return (long)limit.Soft;
    }

    [LibraryImport(Library, EntryPoint = "poll", SetLastError = true)]
    public static partial int Poll(PollDescriptor* descriptors, nuint count, int timeout);

    [LibraryImport(Library, EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int descriptor, byte* buffer, nuint count);

    [LibraryImport(Library, EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, Time* time);

    [LibraryImport(Library, EntryPoint = "getrusage")]
    private static partial int GetUsage(int who, Usage* usage);

    [LibraryImport(Library, EntryPoint = "getrlimit")]
    private static partial int GetLimit(int resource, Limit* limit);

    [LibraryImport(Library, EntryPoint = "setrlimit")]
    private static partial int SetLimit(int resource, Limit* limit);

    /// <summary>struct pollfd.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PollDescriptor
    {
        /// <summary>Ignored if negative.</summary>
        public int Descriptor;

        public short Events;

        public short Returned;
    }

    // struct rusage of a 64-bit Linux, as far as it is used.
    [StructLayout(LayoutKind.Sequential, Size = 144)]
    private struct Usage
    {
        public long UserSeconds;
        public long UserMicroseconds;
        public long SystemSeconds;
        public long SystemMicroseconds;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct Limit
    {
        public ulong Soft;
        public ulong Hard;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct Time
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
