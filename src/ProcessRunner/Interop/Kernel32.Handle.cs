using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

/// <summary>Provides the functions of kernel32, as close to C as possible; one file per group of functions.</summary>
/// <remarks>
/// A function that can fail for a reason outside this library is imported under its own name, private to this class,
/// and called by way of a <see cref="FaultPoint"/>.
/// </remarks>
internal static unsafe partial class Kernel32
{
    private const string Library = "kernel32";

    public const nint INVALID_HANDLE_VALUE = -1;
    public const uint DUPLICATE_SAME_ACCESS = 2;

    [LibraryImport(Library, EntryPoint = "CloseHandle", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool CloseHandle(nint handle);

    /// <summary>
    /// Returns whether a number is that of an open handle. Zero is none, and -1 to -6 stand for this process, the
    /// current thread and their tokens.
    /// </summary>
    public static bool IsHandle(nint handle) => handle > 0 && GetHandleInformation(handle, out _);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetHandleInformation(nint handle, out uint flags);

    /// <summary>Gets the pseudo handle of this process, which needs no closing.</summary>
    [LibraryImport(Library, EntryPoint = "GetCurrentProcess")]
    public static partial nint GetCurrentProcess();

    /// <summary>Duplicates a handle of this process within it.</summary>
    /// <returns>The duplicate, or zero.</returns>
    public static nint DuplicateHandle(nint handle, bool isInheritable)
    {
        nint duplicate = 0;
        nint self = GetCurrentProcess();
        return !FaultPoint.Fails("DuplicateHandle")
            && DuplicateHandle(self, handle, self, &duplicate, 0, isInheritable, DUPLICATE_SAME_ACCESS)
                ? duplicate
                : 0;
    }

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool DuplicateHandle(
        nint sourceProcess,
        nint source,
        nint targetProcess,
        nint* target,
        uint access,
        [MarshalAs(UnmanagedType.Bool)] bool isInheritable,
        uint options);
}
