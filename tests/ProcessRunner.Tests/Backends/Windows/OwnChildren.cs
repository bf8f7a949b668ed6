using System;
using System.IO;
using System.Runtime.InteropServices;

namespace ProcessRunner.Tests.Backends.Windows;

/// <summary>
/// Counts the children of this process that run a program. Another test process can run it meanwhile, and the host of
/// the console may be a child of this process as well.
/// </summary>
internal static unsafe partial class OwnChildren
{
    private const uint TH32CS_SNAPPROCESS = 2;
    private const nint INVALID_HANDLE_VALUE = -1;

    public static int Count(string program)
    {
        string name = Path.GetFileName(program);
        nint snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
        if (snapshot == INVALID_HANDLE_VALUE)
        {
            throw new InvalidOperationException($"The system lists no processes: {Marshal.GetLastPInvokeError()}");
        }

        ProcessEntry entry = new() { Size = (uint)sizeof(ProcessEntry) };
        int count = 0;
        for (bool isOne = Process32FirstW(snapshot, &entry); isOne; isOne = Process32NextW(snapshot, &entry))
        {
            count += entry.ParentProcessId == Environment.ProcessId && new string(entry.File) == name ? 1 : 0;
        }

        CloseHandle(snapshot);
        return count;
    }

    [LibraryImport("kernel32", SetLastError = true)]
    private static partial nint CreateToolhelp32Snapshot(uint flags, uint processId);

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool Process32FirstW(nint snapshot, ProcessEntry* entry);

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool Process32NextW(nint snapshot, ProcessEntry* entry);

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool CloseHandle(nint handle);

    // PROCESSENTRY32W.
    [StructLayout(LayoutKind.Sequential)]
    private struct ProcessEntry
    {
        public uint Size;
        public uint Usage;
        public uint ProcessId;
        public nuint DefaultHeapId;
        public uint ModuleId;
        public uint Threads;
        public uint ParentProcessId;
        public int BasePriority;
        public uint Flags;
        public fixed char File[260];
    }
}
