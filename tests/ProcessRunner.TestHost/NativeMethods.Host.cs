using System;
using System.ComponentModel;
using System.Runtime.InteropServices;

namespace ProcessRunner.TestSupport;

/// <content>The functions with which a scenario changes its own process.</content>
internal static unsafe partial class NativeMethods
{
    private const int RLIMIT_FSIZE = 1;
    private const int RLIMIT_NPROC = 6;
    private const int RLIMIT_NOFILE = 7;
    private const int EINTR = 4;
    private const nuint FIONREAD = 0x541b;

    [LibraryImport("libc", EntryPoint = "geteuid")]
    public static partial uint EffectiveUser();

    [LibraryImport("libc", EntryPoint = "execv", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Execute(string path, string?[] arguments);

    [LibraryImport("libc", EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Mount(string source, string target, string type, nuint flags, string data);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    public static partial nint SystemCall(nint number, nint argument);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    public static partial nint SystemCall(nint number, nint first, nint second, nint third);

    /// <summary>Gets whether this process has any child, including zombies. An ended child is reaped.</summary>
    public static bool HasChildren
    {
        get
        {
            const int WNOHANG = 1;
            int status;
            return WaitPid(-1, &status, WNOHANG) >= 0;
        }
    }

    /// <summary>Waits until a child has ended, and leaves it as it is. Returns at once if there is no child.</summary>
    public static void AwaitEndOfAChild()
    {
        const int P_ALL = 0;
        const int WEXITED = 4;
        const int WNOWAIT = 0x01000000;
        byte* information = stackalloc byte[128];
        while (WaitId(P_ALL, 0, information, WEXITED | WNOWAIT) != 0 && Marshal.GetLastPInvokeError() == EINTR)
        {
        }
    }

    /// <summary>Sets the descriptor limit and returns the previous limit.</summary>
    public static ulong SetDescriptorLimit(ulong limit) => SetLimit(RLIMIT_NOFILE, limit);

    /// <summary>Sets the file size limit, in bytes, and returns the previous limit.</summary>
    public static ulong SetFileSizeLimit(ulong limit) => SetLimit(RLIMIT_FSIZE, limit);

    /// <summary>Sets the process limit and returns the previous limit.</summary>
    public static ulong SetProcessLimit(ulong limit) => SetLimit(RLIMIT_NPROC, limit);

    /// <summary>Reads all bytes that a pipe holds at this moment.</summary>
    public static byte[] ReadAvailable(int descriptor)
    {
        int count;
        Check(Control(descriptor, FIONREAD, &count));
        byte[] bytes = new byte[count];
        fixed (byte* buffer = bytes)
        {
            Check(count > 0 && Read(descriptor, buffer, (nuint)count) != count ? -1 : 0);
        }

        return bytes;
    }

    /// <summary>
    /// Becomes a user without rights and without other processes for good, in every thread. The kernel counts the
    /// processes of a user for RLIMIT_NPROC, see setrlimit(2). A container often has 65,536 users.
    /// </summary>
    public static void BecomeNobody() => Check(SetUser(60_000 + (uint)(Environment.ProcessId % 5_000)));

    private static ulong SetLimit(int resource, ulong limit)
    {
        ResourceLimit value;
        Check(GetLimit(resource, &value));
        ulong before = value.Current;
        value.Current = limit;
        Check(SetLimit(resource, &value));
        return before;
    }

    private static void Check(int result)
    {
        if (result != 0)
        {
            throw new Win32Exception();
        }
    }

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    private static partial int Control(int descriptor, nuint request, int* value);

    [LibraryImport("libc", EntryPoint = "getrlimit", SetLastError = true)]
    private static partial int GetLimit(int resource, ResourceLimit* limit);

    [LibraryImport("libc", EntryPoint = "setrlimit", SetLastError = true)]
    private static partial int SetLimit(int resource, ResourceLimit* limit);

    [LibraryImport("libc", EntryPoint = "waitid", SetLastError = true)]
    private static partial int WaitId(int kind, uint id, byte* information, int options);

    [LibraryImport("libc", EntryPoint = "setuid", SetLastError = true)]
    private static partial int SetUser(uint user);

    [StructLayout(LayoutKind.Sequential)]
    private struct ResourceLimit
    {
        public ulong Current;
        public ulong Largest;
    }
}
