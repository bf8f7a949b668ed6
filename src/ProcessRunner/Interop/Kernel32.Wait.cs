using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class Kernel32
{
    public const uint INFINITE = uint.MaxValue;
    public const uint WAIT_OBJECT_0 = 0;
    public const int WAIT_TIMEOUT = 258;
    public const uint WT_EXECUTEINWAITTHREAD = 4;
    public const uint WT_EXECUTEONLYONCE = 8;

    /// <summary>Has a thread of the system call back once the object is signaled.</summary>
    /// <returns>The wait, or zero.</returns>
    public static nint RegisterWaitForSingleObject(
        nint handle, delegate* unmanaged<void*, byte, void> callback, void* context, uint timeout, uint flags)
    {
        nint wait = 0;
        return !FaultPoint.Fails("RegisterWaitForSingleObject")
            && RegisterWaitForSingleObject(&wait, handle, callback, context, timeout, flags)
                ? wait
                : 0;
    }

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool UnregisterWaitEx(nint wait, nint completionEvent);

    [LibraryImport(Library, SetLastError = true)]
    public static partial uint WaitForSingleObject(nint handle, uint timeoutMilliseconds);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool RegisterWaitForSingleObject(
        nint* wait,
        nint handle,
        delegate* unmanaged<void*, byte, void> callback,
        void* context,
        uint timeout,
        uint flags);
}
