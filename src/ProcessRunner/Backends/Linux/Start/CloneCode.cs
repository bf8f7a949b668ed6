using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Faults;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides the machine code that can be neither C# nor a call of the C library. It creates a process that shares this
/// process's memory and the caller's stack, as vfork(2) does, and makes that process execute a list of system calls, of
/// which the last is execve. The child writes nothing except its registers and the error of a call that fails. The
/// starter's thread sleeps until the child has executed its program or is gone. Signals stay blocked meanwhile, so that
/// no handler of this process runs in the child.
/// </summary>
/// <remarks>Loaded once and immutable afterwards.</remarks>
[SupportedOSPlatform("linux")]
internal static unsafe partial class CloneCode
{
    /// <summary>
    /// Gets the address of the code; null if this machine allows no new code, or if the host forbids it.
    /// </summary>
    public static delegate* unmanaged<Frame*, void> Address { get; } = Load();

    /// <summary>Runs the code: creates a child, which makes the calls of the frame.</summary>
    public static void Run(Frame* frame)
    {
        if (FaultPoint.ErrorOf("clone") is not 0 and int error)
        {
            frame->Result = -error;
        }
        else
        {
            Address(frame);
        }
    }

    private static delegate* unmanaged<Frame*, void> Load() =>
        (delegate* unmanaged<Frame*, void>)(
            MachineCode.Load(
                RuntimeInformation.ProcessArchitecture == Architecture.X64 ? X64 : Arm64, "ProcessRunner start"));

    /// <summary>
    /// Represents the input and output of the code. The frame lies in the memory of the calling thread, which the child
    /// shares.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Frame
    {
        /// <summary>The signals to block meanwhile.</summary>
        public ulong Blocked;

        /// <summary>The signals that the thread blocked before, which the code restores.</summary>
        public ulong BlockedBefore;

        /// <summary>The flags of clone(2).</summary>
        public nint Flags;

        /// <summary>The result of clone(2): the id of the new process, or a negative error number.</summary>
        public nint Result;

        /// <summary>
        /// The pidfd of the new process, in this process's descriptor table. A clone that fails can leave a number here
        /// that is free again, so it is the child's only once <see cref="HasBegun"/>.
        /// </summary>
        public int PidFd;

        /// <summary>The error number of the call that failed in the child; 0 if none did.</summary>
        public int Error;

        /// <summary>The call that failed.</summary>
        public SystemCall* Failed;

        /// <summary>The calls that the child makes; the last is execve.</summary>
        public SystemCall* Calls;

        /// <summary>
        /// Not zero from the child's first moment on: the kernel writes the id there by which the child knows itself.
        /// </summary>
        public int HasBegun;
    }
}
