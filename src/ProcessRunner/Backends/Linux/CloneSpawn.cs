using System;
using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Faults;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Starts programs with a clone(2) of our own, a third cheaper for the starter than posix_spawn(3): no stack is mapped for the
/// child, its pidfd comes with it, and it shares our descriptor table until it has copied the little that it needs of it, where
/// posix_spawn copies the whole. Without state, so that any thread may spawn.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class CloneSpawn
{
    /// <summary>How a child is made.</summary>
    public const nint Flags = LibC.CLONE_VM | LibC.CLONE_VFORK | LibC.CLONE_FILES | LibC.CLONE_PIDFD | LibC.SIGCHLD;

    // The actions of all signals, some of them twice, and the calls that a start needs besides.
    private const int MostCalls = 96;

    /// <summary>Starts a program.</summary>
    /// <param name="request">What to start.</param>
    /// <param name="processId">The id of the child.</param>
    /// <param name="pidfd">Its pidfd, for the caller to own.</param>
    /// <returns>
    /// False if there is no child, although the program may be all right: something that this needs is missing here
    /// (<see cref="CloneSelfTest"/>), or none of it is free.
    /// </returns>
    /// <exception cref="SpawnException">The program cannot be executed, or not in that directory, or not with those files.</exception>
    /// <exception cref="Win32Exception">The child's pidfd cannot be had; the child is gone.</exception>
    public static bool TryRun(in SpawnRequest request, out int processId, out OwnedDescriptor pidfd)
    {
        processId = 0;
        pidfd = default;
        if (!CloneSelfTest.IsPassed)
        {
            return false;
        }

        SystemCall* calls = stackalloc SystemCall[MostCalls];
        ulong noSignals = 0;
        Prepare(calls, in request, &noSignals);
        CloneCode.Frame frame = new() { Blocked = SignalsToBlock(), Flags = Flags, PidFd = -1, Calls = calls };
        request.Progress?.OnCloning(&frame);
        Call(&frame);
        request.Progress?.OnStarted();
        if (frame.Result < 0)
        {
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
        return StepOf(frame.Failed, in request) is SpawnStep step ? throw new SpawnException(step, frame.Error) : false;
    }

    private static void Call(CloneCode.Frame* frame)
    {
        int thread = LibC.GetThreadId();
        StoppedStarts.Begin(thread);
        if (FaultPoint.ErrorOf("clone") is not 0 and int error)
        {
            frame->Result = -error;
        }
        else
        {
            CloneCode.Address(frame);
        }

        StoppedStarts.End(thread);
    }

    /// <summary>
    /// What the starter blocks meanwhile, so that no handler of ours runs in the child. SIGCHLD is let through where it has
    /// none: the kernel then forgets it, while for a starter that blocks it, as one does nearly all the time who starts one
    /// child after the other, it wakes another thread.
    /// </summary>
    public static ulong SignalsToBlock() =>
        Signals.IsHandled(LibC.SIGCHLD) ? ulong.MaxValue : ulong.MaxValue & ~(1UL << (LibC.SIGCHLD - 1));

    // All that happens in the child. What fails before its table is its own must not have touched it.
    private static void Prepare(SystemCall* calls, in SpawnRequest request, ulong* noSignals)
    {
        switch (request.GroupMode)
        {
            case ProcessGroupMode.Inherit:
                calls = ChildSignals.Reset(calls);
                break;

            case ProcessGroupMode.Session:
                *calls++ = SystemCall.LeadSession();
                calls = ChildSignals.DiscardAndReset(calls);
                break;

            default:
                *calls++ = SystemCall.LeadGroup();
                calls = ChildSignals.DiscardAndReset(calls);
                break;
        }

        calls = Connect(calls, in request);
        if (request.Directory is not null)
        {
            *calls++ = SystemCall.ChangeDirectory(request.Directory);
        }

        // It counts for what the program opens, not for what has been opened for it.
        if (request.DescriptorLimit is not null)
        {
            *calls++ = SystemCall.SetLimit(LibC.RLIMIT_NOFILE, request.DescriptorLimit);
        }

        *calls++ = SystemCall.SetBlockedSignals(noSignals);
        *calls = SystemCall.Execute(request.Path, request.Arguments, request.Environment);
    }

    // Files come last: to open one can take for ever, and until then the child has copies of what belongs to others. A file
    // gets the lowest number that is free, so each is freed for it, and those below are taken already.
    private static SystemCall* Connect(SystemCall* calls, in SpawnRequest request)
    {
        const uint ReadWriteForAll = 0b110_110_110;
        int last = Math.Max(SpawnRequest.StreamCount - 1, request.Kept);
        foreach (SpawnStream stream in request.Streams)
        {
            last = Math.Max(last, stream.Descriptor);
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

        if (request.Kept > SpawnRequest.StreamCount)
        {
            *calls++ = SystemCall.Free(SpawnRequest.StreamCount, request.Kept - 1);
        }

        *calls++ = SystemCall.CloseFrom(Math.Max(SpawnRequest.StreamCount, request.Kept + 1));
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

    // Null if it is no fault of the command's.
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
            : null;
    }
}
