using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class Kernel32
{
    public const uint WAIT_OBJECT_0 = 0;
    public const int WAIT_TIMEOUT = 258;
    public const uint INFINITE = uint.MaxValue;
    public const int TP_CALLBACK_PRIORITY_NORMAL = 1;

    /// <summary>Creates a pool of threads beside that of the process.</summary>
    /// <returns>The pool, or zero.</returns>
    public static nint CreateThreadpool() => FaultPoint.Fails("CreateThreadpool") ? 0 : CreateThreadpool(null);

    [LibraryImport(Library, SetLastError = true)]
    private static partial nint CreateThreadpool(void* reserved);

    [LibraryImport(Library)]
    public static partial void CloseThreadpool(nint pool);

    [LibraryImport(Library)]
    public static partial void SetThreadpoolThreadMaximum(nint pool, uint count);

    public static bool SetThreadpoolThreadMinimum(nint pool, uint count) =>
        !FaultPoint.Fails(nameof(SetThreadpoolThreadMinimum)) && SetMinimum(pool, count);

    [LibraryImport(Library, EntryPoint = "SetThreadpoolThreadMinimum", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetMinimum(nint pool, uint count);

    /// <summary>Creates a wait, which has a thread of the pool call back once its object is signalled.</summary>
    /// <returns>The wait, or zero.</returns>
    public static nint CreateThreadpoolWait(
        delegate* unmanaged<nint, void*, nint, uint, void> callback,
        void* context,
        TP_CALLBACK_ENVIRON_V3* environment) =>
        FaultPoint.Fails(nameof(CreateThreadpoolWait)) ? 0 : CreateWait(callback, context, environment);

    [LibraryImport(Library, EntryPoint = "CreateThreadpoolWait", SetLastError = true)]
    private static partial nint CreateWait(
        delegate* unmanaged<nint, void*, nint, uint, void> callback,
        void* context,
        TP_CALLBACK_ENVIRON_V3* environment);

    /// <summary>Begins to wait for an object, without a limit of time; for zero, ends that.</summary>
    public static void SetThreadpoolWait(nint wait, nint handle) => SetThreadpoolWait(wait, handle, null);

    [LibraryImport(Library)]
    private static partial void SetThreadpoolWait(nint wait, nint handle, void* timeout);

    [LibraryImport(Library)]
    public static partial void WaitForThreadpoolWaitCallbacks(
        nint wait, [MarshalAs(UnmanagedType.Bool)] bool cancelsPending);

    [LibraryImport(Library)]
    public static partial void CloseThreadpoolWait(nint wait);

    [LibraryImport(Library, SetLastError = true)]
    public static partial uint WaitForSingleObject(nint handle, uint timeoutMilliseconds);

    [StructLayout(LayoutKind.Sequential)]
    public struct TP_CALLBACK_ENVIRON_V3
    {
        public uint Version;
        public nint Pool;
        public nint CleanupGroup;
        public nint CleanupGroupCancelCallback;
        public nint RaceDll;
        public nint ActivationContext;
        public nint FinalizationCallback;
        public uint Flags;
        public int CallbackPriority;
        public uint Size;
    }
}
