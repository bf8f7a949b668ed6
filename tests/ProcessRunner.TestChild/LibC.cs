using System.Runtime.InteropServices;

namespace ProcessRunner.TestChild;

/// <summary>
/// Declares the functions of the C library that the words need. The values are those of Linux on x64 and arm64.
/// </summary>
internal static unsafe partial class LibC
{
    public const int InterruptedError = 4;
    public const int BadDescriptorError = 9;
    public const int BrokenPipeError = 32;

    public const int ReadWrite = 2;
    public const int CloseOnExec = 0x80000;

    public const nint DefaultDisposition = 0;
    public const nint IgnoreDisposition = 1;
    public const nint DispositionError = -1;

    private const string Library = "libc";

    // The size exceeds that of struct sigaction. The disposition is its first field.
    private const int ActionSize = 256;

    public static bool IsIgnored(int signal)
    {
        nint* action = stackalloc nint[ActionSize / sizeof(nint)];
        return GetAction(signal, null, action) == 0 && *action == IgnoreDisposition;
    }

    [LibraryImport(Library, EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int descriptor, byte* buffer, nint count);

    [LibraryImport(Library, EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int descriptor, byte* buffer, nint count);

    [LibraryImport(Library, EntryPoint = "open", SetLastError = true)]
    public static partial int Open(byte* path, int flags);

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport(Library, EntryPoint = "dup2", SetLastError = true)]
    public static partial int Duplicate(int descriptor, int target);

    [LibraryImport(Library, EntryPoint = "dup3", SetLastError = true)]
    public static partial int Duplicate(int descriptor, int target, int flags);

    [LibraryImport(Library, EntryPoint = "signal", SetLastError = true)]
    public static partial nint SetDisposition(int signal, nint disposition);

    [LibraryImport(Library, EntryPoint = "kill", SetLastError = true)]
    public static partial int Kill(int processId, int signal);

    [LibraryImport(Library, EntryPoint = "setsid", SetLastError = true)]
    public static partial int StartSession();

    [LibraryImport(Library, EntryPoint = "getppid")]
    public static partial int GetParent();

    [LibraryImport(Library, EntryPoint = "getpgid", SetLastError = true)]
    public static partial int GetGroup(int processId);

    [LibraryImport(Library, EntryPoint = "setpgid", SetLastError = true)]
    public static partial int SetGroup(int processId, int groupId);

    [LibraryImport(Library, EntryPoint = "abort")]
    public static partial void Abort();

    [LibraryImport(Library, EntryPoint = "sigaction")]
    private static partial int GetAction(int signal, nint* newAction, nint* currentAction);
}
