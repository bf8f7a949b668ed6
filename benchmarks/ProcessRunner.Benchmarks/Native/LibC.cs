using System.Runtime.InteropServices;

namespace ProcessRunner.Benchmarks.Native;

/// <summary>Declares the functions of the C library that the races and the poll(2) rival need.</summary>
internal static unsafe partial class LibC
{
    public const short PollIn = 1;
    public const int ClockMonotonic = 1;
    public const int ClockRealtime = 0;
    public const int InterruptedCall = 4;

    private const string Library = "libc";
    private const int ThisProcess = 0;
    private const int OpenFiles = 7;

    /// <summary>Gets the user and system time of this process so far, without its children's.</summary>
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

    /// <summary>Reads a clock of the kernel, in nanoseconds.</summary>
    public static long Nanoseconds(int clock)
    {
        Time time;
        _ = ClockGetTime(clock, &time);
        return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
    }

    /// <summary>Raises the descriptor limit of this process as far as an unprivileged process may.</summary>
    /// <returns>The new limit.</returns>
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

    /// <summary>Represents struct pollfd.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PollDescriptor
    {
        /// <summary>The descriptor; poll(2) ignores a negative value.</summary>
        public int Descriptor;

        public short Events;

        public short Returned;
    }

    // The used part of struct rusage on 64-bit Linux.
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
