using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the test that determines, once in the lifetime of this process, whether <see cref="CloneSpawn"/> works on
/// this machine. The test creates a child as <see cref="CloneSpawn"/> does. That child creates another one, which
/// shares its descriptors, gives up those from 64 on, and must receive 64 for its next descriptor. CLONE_PIDFD requires
/// Linux 5.2, close_range requires Linux 5.9, and seccomp can hide both. From Linux 5.9 to 6.10, parts of a descriptor
/// table that a process has left in this way can count as full although they are empty (CVE-2024-45025). The child's
/// program would then receive other descriptor numbers than POSIX promises.
/// </summary>
/// <remarks>
/// Both children share this process's memory, make only system calls and end. They cost a fraction of a millisecond. A
/// shortage proves nothing, so the next start repeats the test. The verdict belongs to the process, because it concerns
/// the kernel and not an engine. Thread-safe: threads that test at the same time reach the same verdict.
/// </remarks>
[SupportedOSPlatform("linux")]
internal static unsafe class CloneSelfTest
{
    // The descriptors that one word of the kernel's table covers.
    private const int FirstOfWord = 64;
    private const int LastOfWord = 127;
    private const int MostCalls = LastOfWord - FirstOfWord + 16;
    private const int Any = 0;

    private static volatile CloneVerdict s_verdict;

    /// <summary>
    /// Gets whether <see cref="CloneSpawn"/> can start children. Unknown means that the test lacked a resource.
    /// </summary>
    public static CloneVerdict Verdict
    {
        get
        {
            if (s_verdict == CloneVerdict.Unknown)
            {
                s_verdict = CloneCode.Address is null ? CloneVerdict.Failed : Run(Spawner.Shared.NullDevice);
            }

            return s_verdict;
        }
    }

    private static CloneVerdict Run(int anyDescriptor)
    {
        SystemCall* calls = stackalloc SystemCall[MostCalls];
        ulong witness = 0;
        LibC.LimitPair limit;
        _ = LibC.GetResourceLimit(LibC.RLIMIT_NOFILE, &limit);
        limit.rlim_cur = limit.rlim_max;
        SystemCall.KernelSignalAction byDefault = default;
        Prepare(calls, anyDescriptor, &limit, &byDefault, &witness);
        CloneCode.Frame frame = new()
        {
            Blocked = CloneSpawn.SignalsToBlock(),
            Flags = CloneSpawn.Flags,
            PidFd = -1,
            Calls = calls,
        };
        CloneCode.Run(&frame);
        return frame switch
        {
            { Result: < 0 } => VerdictOf((int)-frame.Result),
            _ when !TryReap(in frame) => CloneVerdict.Failed,

            // The second child has reached the call that can succeed only in its parent.
            { Error: Errno.ECHILD } when frame.Failed->AwaitsChild && witness != 0 => CloneVerdict.Passed,
            { Error: not 0 } when !frame.Failed->AwaitsChild => VerdictOf(frame.Error),

            // Another process has killed one of the children.
            _ => CloneVerdict.Unknown,
        };
    }

    // Lists all that happens in the child.
    private static void Prepare(
        SystemCall* calls,
        int anyDescriptor,
        LibC.LimitPair* limit,
        SystemCall.KernelSignalAction* byDefault,
        ulong* witness)
    {
        // Where this process ignores the signal, the kernel would reap the second child before the first one waits.
        *calls++ = SystemCall.SetAction(LibC.SIGCHLD, byDefault);
        *calls++ = SystemCall.SetLimit(LibC.RLIMIT_NOFILE, limit);
        *calls++ = SystemCall.UnshareDescriptorsBefore(anyDescriptor + 1);
        *calls++ = SystemCall.Duplicate(anyDescriptor, Any);
        for (int number = FirstOfWord; number <= LastOfWord; number++)
        {
            *calls++ = SystemCall.Duplicate(Any, number);
        }

        // From here on the second child makes the same calls first.
        *calls++ = SystemCall.Clone(LibC.CLONE_VM | LibC.CLONE_VFORK | LibC.CLONE_FILES | LibC.SIGCHLD);
        *calls++ = SystemCall.UnshareDescriptorsBefore(FirstOfWord);
        *calls++ = SystemCall.DuplicateFrom(Any, FirstOfWord);
        *calls++ = SystemCall.ExpectTaken(FirstOfWord);
        *calls++ = SystemCall.AwaitChild();
        *calls++ = SystemCall.GetBlockedSignals(witness);
        *calls = SystemCall.Exit();
    }

    // clone(2) ignores a flag that it does not know, and not every kernel that runs this is Linux.
    private static bool TryReap(in CloneCode.Frame frame)
    {
        try
        {
            OwnedDescriptor pidfd = PidFd.OwnOrKill(frame.PidFd, (int)frame.Result, "clone");
            PidFd.Reap(pidfd.Number, out _);
            pidfd.Close();
            return true;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }

    private static CloneVerdict VerdictOf(int error) =>
        error is Errno.EAGAIN or Errno.ENOMEM or Errno.EMFILE or Errno.ENFILE
            ? CloneVerdict.Unknown
            : CloneVerdict.Failed;
}
