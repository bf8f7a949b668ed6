using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
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
internal static unsafe class CloneCode
{
    /// <summary>
    /// Gets the address of the code; null if the processor is not x64, if this machine allows no new code, or if the
    /// host forbids it.
    /// </summary>
    public static delegate* unmanaged<Frame*, void> Address { get; } = Load();

    // System V calling convention: rdi holds the frame, and rbx belongs to the caller. A system call takes its number
    // in rax and its arguments in rdi, rsi, rdx, r10 and r8. It returns in rax and changes rcx and r11.
    private static ReadOnlySpan<byte> X64 =>
    [
        0xF3, 0x0F, 0x1E, 0xFA,             //         endbr64
        0x53,                               //         push rbx
        0x48, 0x89, 0xFB,                   //         mov  rbx, rdi
        0xB8, 0x0E, 0x00, 0x00, 0x00,       //         mov  eax, 14             rt_sigprocmask(
        0x31, 0xFF,                         //         xor  edi, edi              SIG_BLOCK,
        0x48, 0x8D, 0x33,                   //         lea  rsi, [rbx]            &frame->Blocked,
        0x48, 0x8D, 0x53, 0x08,             //         lea  rdx, [rbx + 8]        &frame->BlockedBefore,
        0x41, 0xBA, 0x08, 0x00, 0x00, 0x00, //         mov  r10d, 8               8)
        0x0F, 0x05,                         //         syscall
        0xB8, 0x38, 0x00, 0x00, 0x00,       //         mov  eax, 56             clone(
        0x48, 0x8B, 0x7B, 0x10,             //         mov  rdi, [rbx + 16]       frame->Flags,
        0x31, 0xF6,                         //         xor  esi, esi              the same stack,
        0x48, 0x8D, 0x53, 0x20,             //         lea  rdx, [rbx + 32]       &frame->PidFd,
        0x45, 0x31, 0xD2,                   //         xor  r10d, r10d            null,
        0x45, 0x31, 0xC0,                   //         xor  r8d, r8d              null)
        0x0F, 0x05,                         //         syscall
        0x48, 0x85, 0xC0,                   //         test rax, rax
        0x74, 0x1E,                         //         jz   child
        0x48, 0x89, 0x43, 0x18,             //         mov  [rbx + 24], rax     frame->Result
        0xB8, 0x0E, 0x00, 0x00, 0x00,       //         mov  eax, 14             rt_sigprocmask(
        0xBF, 0x02, 0x00, 0x00, 0x00,       //         mov  edi, 2                SIG_SETMASK,
        0x48, 0x8D, 0x73, 0x08,             //         lea  rsi, [rbx + 8]        &frame->BlockedBefore,
        0x31, 0xD2,                         //         xor  edx, edx              null,
        0x41, 0xBA, 0x08, 0x00, 0x00, 0x00, //         mov  r10d, 8               8)
        0x0F, 0x05,                         //         syscall
        0x5B,                               //         pop  rbx
        0xC3,                               //         ret
        0x4C, 0x8B, 0x63, 0x30,             // child:  mov  r12, [rbx + 48]     frame->Calls
        0x49, 0x8B, 0x04, 0x24,             // next:   mov  rax, [r12]
        0x49, 0x8B, 0x7C, 0x24, 0x08,       //         mov  rdi, [r12 + 8]
        0x49, 0x8B, 0x74, 0x24, 0x10,       //         mov  rsi, [r12 + 16]
        0x49, 0x8B, 0x54, 0x24, 0x18,       //         mov  rdx, [r12 + 24]
        0x4D, 0x8B, 0x54, 0x24, 0x20,       //         mov  r10, [r12 + 32]
        0x0F, 0x05,                         //         syscall
        0x48, 0x85, 0xC0,                   //         test rax, rax
        0x78, 0x06,                         //         js   failed
        0x49, 0x83, 0xC4, 0x28,             //         add  r12, 40
        0xEB, 0xDB,                         //         jmp  next
        0xF7, 0xD8,                         // failed: neg  eax
        0x89, 0x43, 0x24,                   //         mov  [rbx + 36], eax     frame->Error
        0x4C, 0x89, 0x63, 0x28,             //         mov  [rbx + 40], r12     frame->Failed
        0xB8, 0xE7, 0x00, 0x00, 0x00,       //         mov  eax, 231            exit_group(
        0xBF, 0x7F, 0x00, 0x00, 0x00,       //         mov  edi, 127              127)
        0x0F, 0x05,                         //         syscall
    ];

    private static delegate* unmanaged<Frame*, void> Load() =>
        (delegate* unmanaged<Frame*, void>)(
            RuntimeInformation.ProcessArchitecture == Architecture.X64
                ? MachineCode.Load(X64, "ProcessRunner start")
                : 0);

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

        /// <summary>The pidfd of the new process, in this process's descriptor table.</summary>
        public int PidFd;

        /// <summary>The error number of the call that failed in the child; 0 if none did.</summary>
        public int Error;

        /// <summary>The call that failed.</summary>
        public SystemCall* Failed;

        /// <summary>The calls that the child makes; the last is execve.</summary>
        public SystemCall* Calls;
    }
}
