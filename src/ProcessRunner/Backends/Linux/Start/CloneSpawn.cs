using System;
using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides process creation by a direct clone(2), which costs the starter a third less than posix_spawn(3). No stack
/// is mapped for the child, its pidfd comes with it, and it shares this process's descriptor table until it has copied
/// the few descriptors that it needs. posix_spawn copies the whole table. Stateless and thread-safe.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class CloneSpawn
{
    /// <summary>The flags that create a child.</summary>
    public const nint Flags = LibC.CLONE_VM
        | LibC.CLONE_VFORK
        | LibC.CLONE_FILES
        | LibC.CLONE_PIDFD
        | LibC.CLONE_CHILD_SETTID
        | LibC.SIGCHLD;

    // Enough for the actions of all signals, some of which are set twice, and the other calls of a start.
    private const int MostCalls = 96;

    // A channel is copied, and the numbers before it are freed.
    private const int CallsOfChannel = 2;

    /// <summary>Starts a program.</summary>
    /// <param name="request">The program to start.</param>
    /// <param name="processId">The process id of the child.</param>
    /// <param name="pidfd">The child's pidfd, which the caller owns.</param>
    /// <returns>
    /// False if there is no child although the program may be fine: this machine lacks something that the method needs
    /// (<see cref="CloneSelfTest"/>), or a resource is exhausted.
    /// </returns>
    /// <exception cref="SpawnException">
    /// The program cannot be executed, its directory cannot be entered, or a file for a standard stream cannot be
    /// opened.
    /// </exception>
    /// <exception cref="LaunchException">The child's pidfd cannot be kept; the child has been killed.</exception>
    /// <exception cref="Win32Exception">No descriptor is free, or only this method can start the child.</exception>
    public static bool TryRun(in SpawnRequest request, out int processId, out OwnedDescriptor pidfd)
    {
        processId = 0;
        pidfd = default;
        if (CloneSelfTest.Verdict != CloneVerdict.Passed)
        {
            ThrowIfNoOtherWay(in request, Errno.EAGAIN);
            return false;
        }

        int callCount = MostCalls
            + (CallsOfChannel * request.Channels.Length)
            + (request.Settings is null ? 0 : SpawnSettings.MostCalls);
        SystemCall* calls = stackalloc SystemCall[callCount];
        ulong noSignals = 0;
        Prepare(calls, in request, &noSignals);
        CloneCode.Frame frame = new() { Blocked = SignalsToBlock(), Flags = Flags, PidFd = -1, Calls = calls };
        int thread = LibC.GetThreadId();

        // Can throw for lack of memory, so it comes before another thread gets the frame's address.
        StoppedStarts.Begin(thread);
        request.Progress?.OnCloning(&frame);
        Call(&frame, request.Settings is { ChangesIdentity: true });
        request.Progress?.OnStarted();
        StoppedStarts.End(thread);
        if (frame.Result < 0)
        {
            ThrowIfNoOtherWay(in request, (int)-frame.Result);
            return false;
        }

        processId = (int)frame.Result;
        pidfd = PidFd.OwnOrKill(frame.PidFd, processId, "clone");
        if (frame.Error == 0)
        {
            return true;
        }

        PidFd.Reap(pidfd.Number, out _);
        pidfd.Close();
        if (StepOf(frame.Failed, in request) is SpawnStep step)
        {
            throw new SpawnException(step, frame.Error);
        }

        ThrowIfNoOtherWay(in request, frame.Error);
        return false;
    }

    // Returns if posix_spawn can make the start as well. It needs as many descriptors, unless the child's own leave a
    // place for the pidfd.
    private static void ThrowIfNoOtherWay(in SpawnRequest request, int error)
    {
        if (request.Settings is { NeedClone: true }
            || (error is Errno.EMFILE or Errno.ENFILE && !request.LeavesPlace))
        {
            throw new Win32Exception(error);
        }
    }

    private static void Call(CloneCode.Frame* frame, bool changesIdentity)
    {
        if (changesIdentity)
        {
            Dumpability.Begin();
        }

        CloneCode.Run(frame);
        if (changesIdentity)
        {
            Dumpability.End();
        }
    }

    /// <summary>
    /// Returns the signals that the starter blocks meanwhile, so that no handler of this process runs in the child.
    /// SIGCHLD is not blocked if it has no handler: the kernel then discards it. For a starter that blocks SIGCHLD, as
    /// a thread that starts child after child does nearly all the time, the kernel wakes another thread instead.
    /// </summary>
    public static ulong SignalsToBlock() =>
        Signals.IsHandled(LibC.SIGCHLD) ? ulong.MaxValue : ulong.MaxValue & ~(1UL << (LibC.SIGCHLD - 1));

    // Lists all that happens in the child. A call that fails before the child has its own descriptor table must not
    // have changed the shared one.
    private static void Prepare(SystemCall* calls, in SpawnRequest request, ulong* noSignals)
    {
        switch (request.Group)
        {
            case LaunchGroup.Inherit:
                calls = ChildSignals.Reset(calls);
                break;

            case LaunchGroup.Session:
                *calls++ = SystemCall.LeadSession();
                calls = ChildSignals.DiscardAndReset(calls);
                break;

            case LaunchGroup.Joined:
                *calls++ = SystemCall.JoinGroup(request.Settings!.ProcessGroupId!.Value);
                calls = ChildSignals.DiscardAndReset(calls);
                break;

            default:
                *calls++ = SystemCall.LeadGroup();
                calls = ChildSignals.DiscardAndReset(calls);
                break;
        }

        calls = Connect(calls, in request);
        if (request.Settings is not null)
        {
            calls = request.Settings.Append(calls);
        }

        calls = OpenFiles(calls, in request);
        if (request.Directory is not null)
        {
            *calls++ = SystemCall.ChangeDirectory(request.Directory);
        }

        // The limit applies to the descriptors that the program opens, not to those opened for it.
        if (request.DescriptorLimit is not null)
        {
            *calls++ = SystemCall.SetLimit(LibC.RLIMIT_NOFILE, request.DescriptorLimit);
        }

        *calls++ = SystemCall.SetBlockedSignals(noSignals);
        *calls = SystemCall.Execute(request.Path, request.Arguments, request.Environment);
    }

    // Files come last: opening one can take forever, and before close_range the child holds copies of descriptors that
    // belong to others. A file receives the lowest free number, so each number is freed just before it, and the numbers
    // below are taken already.
    private static SystemCall* Connect(SystemCall* calls, in SpawnRequest request)
    {
        int last = Math.Max(SpawnRequest.StreamCount - 1, request.Kept);
        foreach (SpawnStream stream in request.Streams)
        {
            last = Math.Max(last, stream.Descriptor);
        }

        foreach (SpawnChannel channel in request.Channels)
        {
            last = Math.Max(last, channel.Descriptor);
        }

        *calls++ = SystemCall.UnshareDescriptorsBefore(last + 1);
        for (int number = 0; number < SpawnRequest.StreamCount; number++)
        {
            int descriptor = request.Streams[number].Descriptor;
            if (descriptor >= 0 && descriptor != number)
            {
                *calls++ = SystemCall.Duplicate(descriptor, number);
            }
        }

        int next = SpawnRequest.StreamCount;
        foreach (SpawnChannel channel in request.Channels)
        {
            *calls++ = SystemCall.Duplicate(channel.Descriptor, channel.Number);
        }

        foreach (SpawnChannel channel in request.Channels)
        {
            calls = FreeFrom(calls, ref next, channel.Number);
        }

        if (request.Kept >= next)
        {
            calls = FreeFrom(calls, ref next, request.Kept);
        }

        *calls++ = SystemCall.CloseFrom(next);
        return calls;
    }

    private static SystemCall* OpenFiles(SystemCall* calls, in SpawnRequest request)
    {
        const uint ReadWriteForAll = 0b110_110_110;
        for (int number = 0; number < SpawnRequest.StreamCount; number++)
        {
            SpawnStream stream = request.Streams[number];
            if (stream.Path is not null)
            {
                *calls++ = SystemCall.Free(number);
                *calls++ = SystemCall.Open(request.Files[number], stream.OpenFlags, ReadWriteForAll);
            }
            else if (stream.IsOutput)
            {
                *calls++ = SystemCall.Duplicate(1, number);
            }
        }

        return calls;
    }

    // Frees the numbers from the next one on up to one that stays open.
    private static SystemCall* FreeFrom(SystemCall* calls, ref int next, int open)
    {
        if (open > next)
        {
            *calls++ = SystemCall.Free(next, open - 1);
        }

        next = open + 1;
        return calls;
    }

    // Null if the failure is not the command's fault.
    private static SpawnStep? StepOf(SystemCall* failed, in SpawnRequest request)
    {
        for (int number = 0; number < SpawnRequest.StreamCount; number++)
        {
            if (failed->Opens(request.Files[number]))
            {
                return SpawnStep.OpenInput + number;
            }
        }

        return failed->ChangesDirectory ? SpawnStep.ChangeDirectory
            : failed->Executes ? SpawnStep.Execute
            : request.Settings is not null ? StepOfSettings(failed)
            : null;
    }

    private static SpawnStep? StepOfSettings(SystemCall* failed) => *failed switch
    {
        { JoinsGroup: true } => SpawnStep.JoinGroup,
        { SetsNice: true } => SpawnStep.SetPriority,
        { SetsProcessors: true } => SpawnStep.SetProcessors,
        { SetsLimit: true } => SpawnStep.SetLimit,
        { ChangesIdentity: true } => SpawnStep.ChangeIdentity,
        _ => null,
    };
}
