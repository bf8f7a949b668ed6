using System.ComponentModel;
using System.Runtime.InteropServices;

namespace ProcessRunner.TestHost;

/// <summary>Where a seccomp profile hides what the fast way of a start needs, children are started by the other.</summary>
internal sealed class HiddenSystemCall : IScenario
{
    private const uint CLONE_PIDFD = 0x1000;
    private const int SYS_close_range = 436;

    private static readonly int s_clone = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 56 : 220;

    public string Name => "hidden-system-call";

    public void Play(string[] arguments)
    {
        switch (arguments[0])
        {
            case "close_range":
                Hide(SYS_close_range, null);
                break;
            case "clone":
                Hide(s_clone, CLONE_PIDFD);
                break;
        }

        int careless = NativeMethods.Open("/dev/null", 0);
        for (int i = 0; i < 20; i++)
        {
            ProcessResult result = new ProcessCommand("ls", "/proc/self/fd") { StandardError = OutputTarget.Null }.Run();
            Expect.Equal(0, result.ExitCode, "exit code");
            Expect.Equal("0\n1\n2\n3\n", result.StandardOutput.Text, "the child's descriptors");
        }

        try
        {
            new ProcessCommand("/dev/null").Run();
            Expect.True(false, "a device cannot be started");
        }
        catch (ProcessStartException exception)
        {
            Expect.Equal(13, exception.NativeErrorCode, "the error, EACCES");
        }

        Expect.Equal(0, NativeMethods.Close(careless), "close");
        Expect.True(!NativeMethods.HasChildren, "no child is left, not even a zombie");
    }

    // For this thread, its children, and the threads that it makes; for a call with a flag in its first argument, or for all.
    private static unsafe void Hide(int number, uint? flag)
    {
        const int PR_SET_SECCOMP = 22;
        const int PR_SET_NO_NEW_PRIVS = 38;
        const int SECCOMP_MODE_FILTER = 2;
        const uint SECCOMP_RET_ALLOW = 0x7fff0000;
        const uint SECCOMP_RET_ENOSYS = 0x00050000 | 38;
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
            new(JumpIfSet, flag ?? uint.MaxValue, 0, 1),
            new(Return, SECCOMP_RET_ENOSYS),
            new(Return, SECCOMP_RET_ALLOW),
        };
        FilterProgram program = new() { Length = 6, Filter = filter };
        if (NativeMethods.ProcessControl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
            || NativeMethods.ProcessControl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (nint)(&program), 0, 0) < 0)
        {
            throw new Win32Exception();
        }
    }

    /// <summary>struct sock_filter.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Instruction(ushort code, uint value, byte ifTrue = 0, byte ifFalse = 0)
    {
        private readonly ushort _code = code;
        private readonly byte _ifTrue = ifTrue;
        private readonly byte _ifFalse = ifFalse;
        private readonly uint _value = value;
    }

    /// <summary>struct sock_fprog.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private unsafe struct FilterProgram
    {
        public ushort Length;
        public Instruction* Filter;
    }
}
