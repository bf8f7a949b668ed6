using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Starts programs with posix_spawn(3), which the C library runs as clone with CLONE_VM and CLONE_VFORK: the way where
/// <see cref="CloneSpawn"/> has none. Immutable, so that any thread may spawn. What a signal to our group does to a child before
/// it has a group of its own cannot be undone here: one that ends it ends it, one that stops it is answered by
/// <see cref="StoppedStarts"/>.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class PosixSpawn
{
    // glibc has it since 2.34, musl has not: there a descriptor that other code opened without close-on-exec gets through.
    private static readonly bool s_canCloseFrom = LibC.Exports("posix_spawn_file_actions_addclosefrom_np");

    private static readonly void* s_ownGroup = Attributes(LibC.POSIX_SPAWN_SETPGROUP);
    private static readonly void* s_ownSession = Attributes(LibC.POSIX_SPAWN_SETSID);
    private static readonly void* s_inheritedGroup = Attributes(0);

    /// <summary>Starts a program.</summary>
    /// <returns>The id of the child.</returns>
    /// <exception cref="SpawnException">The C library of this machine cannot start it in another directory.</exception>
    /// <exception cref="Win32Exception">It could not be started.</exception>
    public static int Run(in SpawnRequest request)
    {
        byte* actions = stackalloc byte[LibC.SpawnFileActionsSize];
        Check(LibC.SpawnFileActionsInit(actions));
        try
        {
            AddActions(actions, in request);
            int processId;
            int thread = LibC.GetThreadId();
            StoppedStarts.Begin(thread);
            request.Progress?.OnSpawning(thread);
            int error = LibC.PosixSpawn(
                &processId, request.Path, actions, AttributesFor(request.GroupMode), request.Arguments, request.Environment);
            request.Progress?.OnStarted();
            StoppedStarts.End(thread);
            Check(error);
            return processId;
        }
        finally
        {
            _ = LibC.SpawnFileActionsDestroy(actions);
        }
    }

    // Files come last: to open one can take for ever, and until then the child has copies of what belongs to others.
    private static void AddActions(byte* actions, in SpawnRequest request)
    {
        const uint ReadWriteForAll = 0b110_110_110;
        for (int number = 0; number < SpawnRequest.StreamCount; number++)
        {
            if (request.Streams[number].Descriptor is int descriptor and >= 0)
            {
                Check(LibC.SpawnFileActionsAddDup2(actions, descriptor, number));
            }
        }

        if (s_canCloseFrom)
        {
            for (int number = SpawnRequest.StreamCount; number < request.Kept; number++)
            {
                Check(LibC.SpawnFileActionsAddClose(actions, number));
            }

            Check(LibC.SpawnFileActionsAddCloseFrom(actions, Math.Max(SpawnRequest.StreamCount, request.Kept + 1)));
        }

        for (int number = 0; number < SpawnRequest.StreamCount; number++)
        {
            SpawnStream stream = request.Streams[number];
            if (stream.Path is not null)
            {
                Check(LibC.SpawnFileActionsAddOpen(
                    actions, number, request.Files[number], stream.OpenFlags, ReadWriteForAll));
            }
            else if (stream.IsOutput)
            {
                Check(LibC.SpawnFileActionsAddDup2(actions, 1, number));
            }
        }

        if (request.Directory is not null)
        {
            int error = LibC.SpawnFileActionsAddChangeDirectory(actions, request.Directory);
            if (error == Errno.ENOSYS)
            {
                throw new SpawnException(SpawnStep.ChangeDirectory, error);
            }

            Check(error);
        }
    }

    private static void* AttributesFor(ProcessGroupMode mode) => mode switch
    {
        ProcessGroupMode.Session => s_ownSession,
        ProcessGroupMode.Inherit => s_inheritedGroup,
        _ => s_ownGroup,
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
