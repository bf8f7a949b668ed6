using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides process creation by posix_spawn(3), which the C library implements as a clone with CLONE_VM and
/// CLONE_VFORK. It is the fallback of <see cref="CloneSpawn"/>. Immutable and thread-safe. The effect of a signal to
/// this process's group on a child that has no group of its own yet cannot be undone here: a fatal signal ends the
/// child, and <see cref="StoppedStarts"/> continues a child that a signal stops.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class PosixSpawn
{
    // glibc has this function since 2.34, musl lacks it: there, a descriptor that other code opened without
    // close-on-exec gets through.
    private static readonly bool s_canCloseFrom = LibC.Exports("posix_spawn_file_actions_addclosefrom_np");

    private static readonly void* s_ownGroup = Attributes(LibC.POSIX_SPAWN_SETPGROUP);
    private static readonly void* s_ownSession = Attributes(LibC.POSIX_SPAWN_SETSID);
    private static readonly void* s_inheritedGroup = Attributes(0);

    /// <summary>Starts a program.</summary>
    /// <param name="request">The program to start.</param>
    /// <param name="pidfd">
    /// The child's pidfd, which the caller owns; closed if the request leaves a place for it: the caller must open it.
    /// </param>
    /// <returns>The process id of the child.</returns>
    /// <exception cref="SpawnException">
    /// The C library of this machine cannot start a program in another directory.
    /// </exception>
    /// <exception cref="LaunchException">The child's pidfd cannot be opened; the child has been killed.</exception>
    /// <exception cref="Win32Exception">The program could not be started.</exception>
    public static int Run(in SpawnRequest request, out OwnedDescriptor pidfd)
    {
        // The pidfd can be opened only when the program runs. Its place is kept until then, so that a start that lacks
        // a descriptor fails before.
        OwnedDescriptor place =
            request.LeavesPlace ? default : OwnedDescriptor.From(LibC.EventFd(0, LibC.EFD_CLOEXEC), "eventfd");
        int processId;
        try
        {
            processId = Run(in request);
        }
        finally
        {
            place.Close();
        }

        pidfd = request.LeavesPlace ? default : PidFd.OpenOrKill(processId);
        return processId;
    }

    private static int Run(in SpawnRequest request)
    {
        byte* actions = stackalloc byte[LibC.SpawnFileActionsSize];
        Check(LibC.SpawnFileActionsInit(actions));
        void* attributes = AttributesFor(in request);
        try
        {
            AddActions(actions, in request);
            int processId;
            int thread = LibC.GetThreadId();
            StoppedStarts.Begin(thread);
            request.Progress?.OnSpawning(thread);
            int error = LibC.PosixSpawn(
                &processId,
                request.Path,
                actions,
                attributes,
                request.Arguments,
                request.Environment);
            request.Progress?.OnStarted();
            StoppedStarts.End(thread);
            Check(error);
            return processId;
        }
        finally
        {
            _ = LibC.SpawnFileActionsDestroy(actions);
            if (request.Group == LaunchGroup.Joined)
            {
                NativeMemory.Free(attributes);
            }
        }
    }

    // Files come last: opening one can take forever, and before the other descriptors are closed the child holds copies
    // that belong to others.
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

        foreach (SpawnChannel channel in request.Channels)
        {
            Check(LibC.SpawnFileActionsAddDup2(actions, channel.Descriptor, channel.Number));
        }

        if (s_canCloseFrom)
        {
            int next = SpawnRequest.StreamCount;
            foreach (SpawnChannel channel in request.Channels)
            {
                CloseFrom(actions, ref next, channel.Number);
            }

            CloseFrom(actions, ref next, request.Kept);
            Check(LibC.SpawnFileActionsAddCloseFrom(actions, next));
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

    // Closes the numbers from the next one on up to one that stays open.
    private static void CloseFrom(byte* actions, ref int next, int open)
    {
        for (int number = next; number < open; number++)
        {
            Check(LibC.SpawnFileActionsAddClose(actions, number));
        }

        next = Math.Max(next, open + 1);
    }

    private static void* AttributesFor(in SpawnRequest request) => request.Group switch
    {
        LaunchGroup.Joined => Attributes(LibC.POSIX_SPAWN_SETPGROUP, request.Settings!.ProcessGroupId!.Value),
        LaunchGroup.Session => s_ownSession,
        LaunchGroup.Inherit => s_inheritedGroup,
        _ => s_ownGroup,
    };

    // Those of the fields are never freed: every start uses them until the process ends. Nothing in them needs
    // posix_spawnattr_destroy.
    private static void* Attributes(short groupFlag, int group = 0)
    {
        void* attributes = NativeMemory.AllocZeroed(LibC.SpawnAttributesSize);
        byte* signals = stackalloc byte[LibC.SignalSetSize];
        short flags = (short)(LibC.POSIX_SPAWN_SETSIGDEF | LibC.POSIX_SPAWN_SETSIGMASK | groupFlag);
        Check(LibC.SpawnAttributesInit(attributes));
        Check(LibC.SpawnAttributesSetFlags(attributes, flags));
        Check(LibC.SpawnAttributesSetGroup(attributes, group));

        // Not sigfillset: glibc's leaves out signals 32 and 33, which glibc uses itself, and the child would ignore
        // them.
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
