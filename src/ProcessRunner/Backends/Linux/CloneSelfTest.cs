using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Decides, once in the life of this process, whether <see cref="CloneSpawn"/> works here. It makes a child as that does; the
/// child makes a further one, which shares its descriptors, lets go of those from 64 on, and must be given 64 for its next one.
/// clone with CLONE_PIDFD came with Linux 5.2, close_range with 5.9, and seccomp can hide both. From 5.9 to 6.10 parts of a table
/// that a process has left in this way can count as full though they are empty (CVE-2024-45025), and the child's program would
/// get other numbers for its descriptors than POSIX promises.
/// </summary>
/// <remarks>
/// Both children share our memory, make system calls only, and end; they cost a fraction of a millisecond. A shortage says
/// nothing: the next start tests again. Any thread; threads that test at the same time come to the same verdict.
/// </remarks>
[SupportedOSPlatform("linux")]
internal static unsafe class CloneSelfTest
{
    // The descriptors that one word of the kernel's table tells of.
    private const int FirstOfWord = 64;
    private const int LastOfWord = 127;
    private const int MostCalls = LastOfWord - FirstOfWord + 16;
    private const int Any = 0;

    private static volatile CloneVerdict s_verdict;

    /// <summary>Whether children can be started by <see cref="CloneSpawn"/>.</summary>
    public static bool IsPassed
    {
        get
        {
            if (s_verdict == CloneVerdict.Unknown)
            {
                s_verdict = CloneCode.Address is null ? CloneVerdict.Failed : Run(Spawner.Shared.NullDevice);
            }

            return s_verdict == CloneVerdict.Passed;
        }
    }

    private static CloneVerdict Run(int anyDescriptor)
    {
        SystemCall* calls = stackalloc SystemCall[MostCalls];
        ulong witness = 0;
        LibC.ResourceLimit limit;
        _ = LibC.GetResourceLimit(LibC.RLIMIT_NOFILE, &limit);
        limit.rlim_cur = limit.rlim_max;
        Prepare(calls, anyDescriptor, &limit, &witness);
        CloneCode.Frame frame = new()
        {
            Blocked = CloneSpawn.SignalsToBlock(),
            Flags = CloneSpawn.Flags,
            PidFd = -1,
            Calls = calls,
        };
        CloneCode.Address(&frame);
        return frame switch
        {
            { Result: < 0 } => VerdictOf((int)-frame.Result),
            _ when !TryReap(in frame) => CloneVerdict.Failed,

            // The further child has come to the call that only its parent can make.
            { Error: Errno.ECHILD } when frame.Failed->AwaitsChild && witness != 0 => CloneVerdict.Passed,
            { Error: not 0 } when !frame.Failed->AwaitsChild => VerdictOf(frame.Error),

            // Somebody has killed one of them.
            _ => CloneVerdict.Unknown,
        };
    }

    // All that happens in the child.
    private static void Prepare(SystemCall* calls, int anyDescriptor, LibC.ResourceLimit* limit, ulong* witness)
    {
        *calls++ = SystemCall.SetLimit(LibC.RLIMIT_NOFILE, limit);
        *calls++ = SystemCall.UnshareDescriptorsBefore(anyDescriptor + 1);
        *calls++ = SystemCall.Duplicate(anyDescriptor, Any);
        for (int number = FirstOfWord; number <= LastOfWord; number++)
        {
            *calls++ = SystemCall.Duplicate(Any, number);
        }

        // From here on the further child makes the same calls first.
        *calls++ = SystemCall.Clone(LibC.CLONE_VM | LibC.CLONE_VFORK | LibC.CLONE_FILES | LibC.SIGCHLD);
        *calls++ = SystemCall.UnshareDescriptorsBefore(FirstOfWord);
        *calls++ = SystemCall.DuplicateFrom(Any, FirstOfWord);
        *calls++ = SystemCall.ExpectTaken(FirstOfWord);
        *calls++ = SystemCall.AwaitChild();
        *calls++ = SystemCall.GetBlockedSignals(witness);
        *calls = SystemCall.Exit();
    }

    // clone(2) passes over a flag that it does not know, and not every kernel is Linux.
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
        error is Errno.EAGAIN or Errno.ENOMEM or Errno.EMFILE or Errno.ENFILE ? CloneVerdict.Unknown : CloneVerdict.Failed;
}
