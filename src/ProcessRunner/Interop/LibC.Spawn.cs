using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class LibC
{
    // Enough room for the opaque types: glibc and musl need 336, 80 and 128 bytes on 64-bit machines.
    public const int SpawnAttributesSize = 512;
    public const int SpawnFileActionsSize = 128;
    public const int SignalSetSize = 128;

    public const nint CLONE_VM = 0x100;
    public const nint CLONE_FILES = 0x400;
    public const nint CLONE_PIDFD = 0x1000;
    public const nint CLONE_VFORK = 0x4000;
    public const nint CLONE_CHILD_SETTID = 0x1000000;

    public const short POSIX_SPAWN_SETPGROUP = 0x02;
    public const short POSIX_SPAWN_SETSIGDEF = 0x04;
    public const short POSIX_SPAWN_SETSIGMASK = 0x08;
    public const short POSIX_SPAWN_SETSID = 0x80;

    private static readonly bool s_canAddChangeDirectory = Exports("posix_spawn_file_actions_addchdir_np");

    // posix_spawn and its helpers return the error instead of setting errno.
    public static int PosixSpawn(
        int* processId, byte* path, void* fileActions, void* attributes, byte** arguments, byte** environment) =>
        FaultPoint.ErrorOf("posix_spawn") is not 0 and int error
            ? error
            : posix_spawn(processId, path, fileActions, attributes, arguments, environment);

    [LibraryImport(Library)]
    private static partial int posix_spawn(
        int* processId, byte* path, void* fileActions, void* attributes, byte** arguments, byte** environment);

    [LibraryImport(Library, EntryPoint = "posix_spawnattr_init")]
    public static partial int SpawnAttributesInit(void* attributes);

    [LibraryImport(Library, EntryPoint = "posix_spawnattr_setflags")]
    public static partial int SpawnAttributesSetFlags(void* attributes, short flags);

    [LibraryImport(Library, EntryPoint = "posix_spawnattr_setpgroup")]
    public static partial int SpawnAttributesSetGroup(void* attributes, int processGroup);

    [LibraryImport(Library, EntryPoint = "posix_spawnattr_setsigdefault")]
    public static partial int SpawnAttributesSetDefaultSignals(void* attributes, void* signalSet);

    [LibraryImport(Library, EntryPoint = "posix_spawnattr_setsigmask")]
    public static partial int SpawnAttributesSetSignalMask(void* attributes, void* signalSet);

    [LibraryImport(Library, EntryPoint = "sigemptyset")]
    public static partial int SignalSetEmpty(void* signalSet);

    public static int SpawnFileActionsInit(void* actions) =>
        FaultPoint.ErrorOf("posix_spawn_file_actions_init") is not 0 and int error
            ? error
            : posix_spawn_file_actions_init(actions);

    [LibraryImport(Library)]
    private static partial int posix_spawn_file_actions_init(void* actions);

    [LibraryImport(Library, EntryPoint = "posix_spawn_file_actions_destroy")]
    public static partial int SpawnFileActionsDestroy(void* actions);

    public static int SpawnFileActionsAddDup2(void* actions, int descriptor, int newDescriptor) =>
        FaultPoint.ErrorOf("posix_spawn_file_actions_adddup2") is not 0 and int error
            ? error
            : posix_spawn_file_actions_adddup2(actions, descriptor, newDescriptor);

    [LibraryImport(Library)]
    private static partial int posix_spawn_file_actions_adddup2(void* actions, int descriptor, int newDescriptor);

    [LibraryImport(Library, EntryPoint = "posix_spawn_file_actions_addopen")]
    public static partial int SpawnFileActionsAddOpen(void* actions, int descriptor, byte* path, int flags, uint mode);

    /// <summary>
    /// Adds a change of directory. glibc provides the function since 2.29, musl since 1.1.24; without it the result is
    /// ENOSYS.
    /// </summary>
    public static int SpawnFileActionsAddChangeDirectory(void* actions, byte* path) =>
        FaultPoint.ErrorOf("posix_spawn_file_actions_addchdir_np") is not 0 and int error ? error
        : s_canAddChangeDirectory ? posix_spawn_file_actions_addchdir_np(actions, path)
        : Errno.ENOSYS;

    [LibraryImport(Library)]
    private static partial int posix_spawn_file_actions_addchdir_np(void* actions, byte* path);

    /// <summary>Returns whether the C library of this machine exports a function.</summary>
    public static bool Exports(string function) =>
        NativeLibrary.TryLoad(Library, typeof(LibC).Assembly, DllImportSearchPath.SafeDirectories, out nint library)
        && NativeLibrary.TryGetExport(library, function, out _);

    [LibraryImport(Library, EntryPoint = "posix_spawn_file_actions_addclose")]
    public static partial int SpawnFileActionsAddClose(void* actions, int descriptor);

    [LibraryImport(Library, EntryPoint = "posix_spawn_file_actions_addclosefrom_np")]
    public static partial int SpawnFileActionsAddCloseFrom(void* actions, int firstDescriptor);
}
