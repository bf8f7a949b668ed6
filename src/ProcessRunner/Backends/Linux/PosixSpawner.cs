using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Starts programs with posix_spawn(3), which the C library runs as clone with CLONE_VM and CLONE_VFORK: the cost does
/// not grow with the caller's memory. Every child gets a clean slate: descriptors 0, 1 and 2 only, all signals at their
/// default and none blocked (.NET ignores SIGPIPE, and an ignored signal survives exec). One for the whole process and
/// immutable, so that any thread may spawn while any engine is disposed.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class PosixSpawner
{
    // glibc has it since 2.34, musl has not: there a descriptor that other code opened without close-on-exec gets through.
    private static readonly bool s_canCloseFrom = LibC.Exports("posix_spawn_file_actions_addclosefrom_np");

    private static readonly Lock s_gate = new();
    private static PosixSpawner? s_shared;

    private readonly OwnedDescriptor _nullDevice;
    private readonly void* _ownGroup = Attributes(LibC.POSIX_SPAWN_SETPGROUP);
    private readonly void* _ownSession = Attributes(LibC.POSIX_SPAWN_SETSID);
    private readonly void* _inheritedGroup = Attributes(0);

    private PosixSpawner() =>
        _nullDevice = OwnedDescriptor.From(LibC.Open("/dev/null", LibC.O_RDWR | LibC.O_CLOEXEC, 0), "open /dev/null");

    /// <summary>The one of this process; it holds one descriptor, for good.</summary>
    /// <exception cref="Win32Exception">The null device cannot be opened now.</exception>
    public static PosixSpawner Shared
    {
        get
        {
            lock (s_gate)
            {
                return s_shared ??= new PosixSpawner();
            }
        }
    }

    /// <summary>The descriptor of the null device, for a standard stream that nobody uses.</summary>
    public int NullDevice => _nullDevice.Number;

    /// <summary>Starts a program with the descriptors that are to be its standard streams.</summary>
    /// <param name="command">What to run, where and in which group.</param>
    /// <param name="program">The file that its name stands for.</param>
    /// <param name="environment">Its whole environment.</param>
    /// <param name="input">Becomes descriptor 0.</param>
    /// <param name="output">Becomes descriptor 1.</param>
    /// <param name="error">Becomes descriptor 2.</param>
    /// <param name="thread">Where; null for the thread that calls.</param>
    /// <returns>The process id of the child.</returns>
    /// <exception cref="Win32Exception">It could not be started.</exception>
    public int Spawn(
        ProcessCommand command, string program, byte** environment, int input, int output, int error, SpawnThread? thread = null)
    {
        NativeStrings paths = default;
        NativeStrings arguments = default;
        try
        {
            paths.Add(program);
            paths.Add(command.WorkingDirectory ?? ".");
            byte** pathArray = paths.ToArray();
            arguments.Add(command.FileName);
            foreach (string argument in command.Arguments)
            {
                arguments.Add(argument);
            }

            SpawnRequest request = new()
            {
                Path = pathArray[0],
                Attributes = AttributesFor(command.GroupMode),
                Arguments = arguments.ToArray(),
                Environment = environment,
            };
            byte* directory = command.WorkingDirectory is null ? null : pathArray[1];
            if (thread is null || !TryRunOn(thread, ref request, directory, input, output, error))
            {
                RunHere(ref request, directory, input, output, error);
            }

            Check(request.Error);
            return request.ProcessId;
        }
        finally
        {
            paths.Dispose();
            arguments.Dispose();
        }
    }

    private static bool TryRunOn(
        SpawnThread thread, ref SpawnRequest request, byte* directory, int input, int output, int error)
    {
        byte* actions = stackalloc byte[LibC.SpawnFileActionsSize];
        InitActions(actions, directory, SpawnThread.Input, SpawnThread.Output, SpawnThread.Error);
        request.Actions = actions;
        bool isDone;
        fixed (SpawnRequest* pointer = &request)
        {
            isDone = thread.TryRun(pointer, input, output, error);
        }

        _ = LibC.SpawnFileActionsDestroy(actions);
        return isDone;
    }

    private static void RunHere(ref SpawnRequest request, byte* directory, int input, int output, int error)
    {
        byte* actions = stackalloc byte[LibC.SpawnFileActionsSize];
        InitActions(actions, directory, input, output, error);
        int processId;
        request.Error = LibC.PosixSpawn(
            &processId, request.Path, actions, request.Attributes, request.Arguments, request.Environment);
        request.ProcessId = processId;
        _ = LibC.SpawnFileActionsDestroy(actions);
    }

    private static void InitActions(byte* actions, byte* directory, int input, int output, int error)
    {
        Check(LibC.SpawnFileActionsInit(actions));
        try
        {
            Check(LibC.SpawnFileActionsAddDup2(actions, input, 0));
            Check(LibC.SpawnFileActionsAddDup2(actions, output, 1));
            Check(LibC.SpawnFileActionsAddDup2(actions, error, 2));
            if (s_canCloseFrom)
            {
                Check(LibC.SpawnFileActionsAddCloseFrom(actions, 3));
            }

            if (directory is not null)
            {
                Check(LibC.SpawnFileActionsAddChangeDirectory(actions, directory));
            }
        }
        catch
        {
            _ = LibC.SpawnFileActionsDestroy(actions);
            throw;
        }
    }

    private void* AttributesFor(ProcessGroupMode mode) => mode switch
    {
        ProcessGroupMode.Session => _ownSession,
        ProcessGroupMode.Inherit => _inheritedGroup,
        _ => _ownGroup,
    };

    // Never freed: they serve every start until the process ends.
    private static void* Attributes(short groupFlag)
    {
        void* attributes = NativeMemory.AllocZeroed(LibC.SpawnAttributesSize);
        byte* signals = stackalloc byte[LibC.SignalSetSize];
        short flags = (short)(LibC.POSIX_SPAWN_SETSIGDEF | LibC.POSIX_SPAWN_SETSIGMASK | groupFlag);
        Check(LibC.SpawnAttributesInit(attributes));
        Check(LibC.SpawnAttributesSetFlags(attributes, flags));
        Check(LibC.SpawnAttributesSetGroup(attributes, 0));

        // Not sigfillset: glibc leaves out 32 and 33, which it uses itself, and the child would ignore them.
        new Span<byte>(signals, LibC.SignalSetSize).Fill(byte.MaxValue);
        Check(LibC.SpawnAttributesSetDefaultSignals(attributes, signals));
        Check(LibC.SignalSetEmpty(signals));
        Check(LibC.SpawnAttributesSetSignalMask(attributes, signals));
        return attributes;
    }

    private static void Check(int error)
    {
        if (error != 0)
        {
            throw new Win32Exception(error);
        }
    }
}
