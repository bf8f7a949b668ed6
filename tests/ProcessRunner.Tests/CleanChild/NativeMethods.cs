using System.Runtime.InteropServices;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>Declares the functions that careless native code in the same process would call.</summary>
internal static unsafe partial class NativeMethods
{
    public const int SIG_BLOCK = 0;
    public const int SIG_SETMASK = 2;

    /// <summary>Opens a file without close-on-exec.</summary>
    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    public static partial int Kill(int processId, int signal);

    [LibraryImport("libc", EntryPoint = "signal", SetLastError = true)]
    public static partial nint SetSignalAction(int signal, nint action);

    [LibraryImport("libc", EntryPoint = "pthread_sigmask")]
    public static partial int SetSignalMask(int how, void* signals, void* before);

    [LibraryImport("libc", EntryPoint = "sigfillset")]
    public static partial int Fill(void* signals);
}
