using System.ComponentModel;
using System.Runtime.InteropServices;

namespace ProcessRunner.TestHost;

/// <summary>
/// Hides system calls from this thread, its children, and the threads that it creates, as a seccomp profile does.
/// </summary>
internal static class SystemCallFilter
{
    public const int EPERM = 1;
    public const int EBADF = 9;
    public const int ENOSYS = 38;

    /// <summary>Hides a call.</summary>
    /// <param name="number">The number of the call.</param>
    /// <param name="error">The error of the call from now on.</param>
    /// <param name="flag">Hides the call only if its first argument has this flag.</param>
    /// <param name="first">Hides the call only if its first argument has this value.</param>
    public static unsafe void Hide(int number, int error = ENOSYS, uint? flag = null, uint? first = null)
    {
        const int PR_SET_SECCOMP = 22;
        const int PR_SET_NO_NEW_PRIVS = 38;
        const int SECCOMP_MODE_FILTER = 2;
        const uint SECCOMP_RET_ALLOW = 0x7fff0000;
        const uint SECCOMP_RET_ERRNO = 0x00050000;
        const ushort LoadWord = 0x20;
        const ushort JumpIfEqual = 0x15;
        const ushort JumpIfSet = 0x45;
        const ushort Return = 0x06;
        const uint Number = 0;
        const uint FirstArgument = 16;
        Instruction* filter = stackalloc Instruction[]
        {
            new(LoadWord, Number),
            new(JumpIfEqual, (uint)number, 0, 3),
            new(LoadWord, FirstArgument),
            new(
                first is null ? JumpIfSet : JumpIfEqual,
                first ?? flag ?? 0,
                0,
                (byte)(first is null && flag is null ? 0 : 1)),
            new(Return, SECCOMP_RET_ERRNO | (uint)error),
            new(Return, SECCOMP_RET_ALLOW),
        };
        FilterProgram program = new() { Length = 6, Filter = filter };
        if (NativeMethods.ProcessControl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
            || NativeMethods.ProcessControl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (nint)(&program), 0, 0) < 0)
        {
            throw new Win32Exception();
        }
    }

    /// <summary>Represents struct sock_filter.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Instruction(ushort code, uint value, byte ifTrue = 0, byte ifFalse = 0)
    {
        private readonly ushort _code = code;
        private readonly byte _ifTrue = ifTrue;
        private readonly byte _ifFalse = ifFalse;
        private readonly uint _value = value;
    }

    /// <summary>Represents struct sock_fprog.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private unsafe struct FilterProgram
    {
        public ushort Length;
        public Instruction* Filter;
    }
}
