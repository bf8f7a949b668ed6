using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
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
    private const nint Flags = LibC.CLONE_VM | LibC.CLONE_VFORK | LibC.CLONE_FILES | LibC.CLONE_PIDFD | LibC.SIGCHLD;
    private const int LastSignal = 64;
    private const int MostCalls = LastSignal + 16;

    private static readonly SystemCall.KernelSignalAction* s_defaultAction =
        (SystemCall.KernelSignalAction*)NativeMemory.AllocZeroed((nuint)sizeof(SystemCall.KernelSignalAction));

    private static readonly SystemCall[] s_defaultSignals = DefaultSignals();

    /// <summary>Starts a program.</summary>
    /// <param name="request">What to start.</param>
    /// <param name="processId">The id of the child.</param>
    /// <param name="pidfd">Its pidfd, for the caller to own.</param>
    /// <returns>
    /// False if there is no child, although the program may be all right: something that this needs is missing here
    /// (clone with CLONE_PIDFD came with Linux 5.2, close_range with 5.9, and seccomp can hide both), or none of it is free.
    /// </returns>
    /// <exception cref="Win32Exception">The program cannot be executed, or not in that directory.</exception>
    public static bool TryRun(in SpawnRequest request, out int processId, out OwnedDescriptor pidfd)
    {
        processId = 0;
        pidfd = default;
        if (CloneCode.Address is null)
        {
            return false;
        }

        SystemCall* calls = stackalloc SystemCall[MostCalls];
        ulong noSignals = 0;
        SystemCall* own = Prepare(calls, in request);
        SystemCall* next = own;
        if (request.Directory is not null)
        {
            *next++ = SystemCall.ChangeDirectory(request.Directory);
        }

        SystemCall* unblock = next;
        *next++ = SystemCall.SetBlockedSignals(&noSignals);
        *next++ = SystemCall.Execute(request.Path, request.Arguments, request.Environment);
        CloneCode.Frame frame = new() { Blocked = SignalsToBlock(), Flags = Flags, PidFd = -1, Calls = calls };
        request.Progress?.OnCloning(&frame);
        CloneCode.Address(&frame);
        request.Progress?.OnCloned();
        if (frame.Result < 0)
        {
            return false;
        }

        processId = (int)frame.Result;

        // clone(2) passes over a flag that it does not know, and not every kernel is Linux.
        pidfd = frame.PidFd < 0 ? PidFd.OpenOrKill(processId) : PidFd.OwnOrKill(frame.PidFd, processId, "clone");
        if (frame.Error == 0)
        {
            return true;
        }

        PidFd.Reap(pidfd.Number, out _);
        pidfd.Close();
        if (frame.Failed >= own && frame.Failed != unblock)
        {
            throw new Win32Exception(frame.Error);
        }

        return false;
    }

    // No handler of ours may run in the child. SIGCHLD is let through where it has none: the kernel then forgets it, while for a
    // starter that blocks it, as one does nearly all the time who starts one child after the other, it wakes another thread.
    private static ulong SignalsToBlock() =>
        Signals.IsHandled(LibC.SIGCHLD) ? ulong.MaxValue : ulong.MaxValue & ~(1UL << (LibC.SIGCHLD - 1));

    // All that happens in the child but what depends on the program. The table comes first: until then it is ours as well.
    private static SystemCall* Prepare(SystemCall* calls, in SpawnRequest request)
    {
        int last = Math.Max(2, Math.Max(request.Input, Math.Max(request.Output, request.Error)));
        *calls++ = SystemCall.UnshareDescriptorsBefore(last + 1);
        s_defaultSignals.CopyTo(new Span<SystemCall>(calls, s_defaultSignals.Length));
        calls += s_defaultSignals.Length;
        if (request.GroupMode == ProcessGroupMode.Session)
        {
            *calls++ = SystemCall.LeadSession();
        }
        else if (request.GroupMode != ProcessGroupMode.Inherit)
        {
            *calls++ = SystemCall.LeadGroup();
        }

        calls = Duplicate(calls, request.Input, 0);
        calls = Duplicate(calls, request.Output, 1);
        calls = Duplicate(calls, request.Error, 2);
        *calls++ = SystemCall.CloseFrom(3);
        return calls;
    }

    private static SystemCall* Duplicate(SystemCall* calls, int descriptor, int standardNumber)
    {
        if (descriptor != standardNumber)
        {
            *calls++ = SystemCall.Duplicate(descriptor, standardNumber);
        }

        return calls;
    }

    // A handler would go at the exec, but a signal that is ignored stays so, and any may be: the kernel does not tell cheaply.
    private static SystemCall[] DefaultSignals()
    {
        SystemCall[] calls = new SystemCall[LastSignal - 2];
        int count = 0;
        for (int signal = 1; signal <= LastSignal; signal++)
        {
            if (signal is not (LibC.SIGKILL or LibC.SIGSTOP))
            {
                calls[count++] = SystemCall.SetAction(signal, s_defaultAction);
            }
        }

        return calls;
    }
}
