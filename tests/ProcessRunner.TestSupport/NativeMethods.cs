using System.Runtime.InteropServices;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Declares the functions with which a test acts behind the library's back: on processes and terminals, and as careless
/// native code in the same process would. The host of the tests compiles this file, too.
/// </summary>
internal static unsafe partial class NativeMethods
{
    public const int SIGHUP = 1;
    public const int SIGINT = 2;
    public const int SIGKILL = 9;
    public const int SIGTERM = 15;
    public const int SIG_BLOCK = 0;
    public const int SIG_SETMASK = 2;
    public const int O_WRONLY = 1;
    public const int O_CLOEXEC = 0x80000;
    public const int F_SETSIG = 10;
    public const int F_SETLEASE = 1024;
    public const int F_GETLEASE = 1025;
    public const int F_WRLCK = 1;
    public const int F_UNLCK = 2;
    public const nint PTRACE_CONT = 7;
    public const nint PTRACE_DETACH = 17;
    public const nint PTRACE_SEIZE = 0x4206;
    public const nint PTRACE_INTERRUPT = 0x4207;
    public const int WaitForAnyKind = 0x40000000;
    public const int O_RDWR = 2;
    public const int O_NOCTTY = 0x100;
    public const short POLLIN = 1;

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    public static partial int Kill(int processId, int signal);

    [LibraryImport("libc", EntryPoint = "waitpid", SetLastError = true)]
    public static partial int WaitPid(int processId, int* status, int options);

    /// <summary>Calls open(2). Without <see cref="O_CLOEXEC"/> every child could inherit the descriptor.</summary>
    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    public static partial int Fcntl(int descriptor, int command, nint argument);

    [LibraryImport("libc", EntryPoint = "prctl", SetLastError = true)]
    public static partial int ProcessControl(int option, nint value, nint third, nint fourth, nint fifth);

    [LibraryImport("libc", EntryPoint = "ptrace", SetLastError = true)]
    public static partial nint PTrace(nint request, nint processId, nint address, nint data);

    [LibraryImport("libc", EntryPoint = "signal", SetLastError = true)]
    public static partial nint SetSignalAction(int signal, nint action);

    [LibraryImport("libc", EntryPoint = "pthread_sigmask")]
    public static partial int SetSignalMask(int how, void* signals, void* before);

    [LibraryImport("libc", EntryPoint = "sigfillset")]
    public static partial int Fill(void* signals);

    [LibraryImport("libc", EntryPoint = "posix_openpt", SetLastError = true)]
    public static partial int OpenTerminal(int flags);

    [LibraryImport("libc", EntryPoint = "grantpt", SetLastError = true)]
    public static partial int Grant(int master);

    [LibraryImport("libc", EntryPoint = "unlockpt", SetLastError = true)]
    public static partial int Unlock(int master);

    [LibraryImport("libc", EntryPoint = "ptsname_r", SetLastError = true)]
    public static partial int NameOf(int master, byte* name, nuint size);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int descriptor, byte* buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int descriptor, byte* buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    public static partial int Poll(PollDescriptor* descriptors, nuint count, int milliseconds);

    /// <summary>Represents struct pollfd.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PollDescriptor
    {
        public int Descriptor;
        public short Events;
        public short Returned;
    }
}
