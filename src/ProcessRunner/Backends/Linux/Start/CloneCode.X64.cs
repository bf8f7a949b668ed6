using System;

namespace ProcessRunner.Backends.Linux.Start;

internal static unsafe partial class CloneCode
{
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
        0x4C, 0x8D, 0x53, 0x38,             //         lea  r10, [rbx + 56]       &frame->HasBegun,
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
}
