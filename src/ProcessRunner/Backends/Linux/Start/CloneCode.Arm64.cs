using System;

namespace ProcessRunner.Backends.Linux.Start;

internal static unsafe partial class CloneCode
{
    // Procedure call standard for the Arm 64-bit architecture: x0 holds the frame, and x0 to x17 are free to use. A
    // system call takes its number in x8 and its arguments in x0 to x4. It returns in x0 and changes no other register,
    // so the code needs no stack.
    private static ReadOnlySpan<byte> Arm64 =>
    [
        0x5F, 0x24, 0x03, 0xD5, //         bti  c
        0xE9, 0x03, 0x00, 0xAA, //         mov  x9, x0
        0xE8, 0x10, 0x80, 0xD2, //         mov  x8, #135             rt_sigprocmask(
        0x00, 0x00, 0x80, 0xD2, //         mov  x0, #0                 SIG_BLOCK,
        0xE1, 0x03, 0x09, 0xAA, //         mov  x1, x9                 &frame->Blocked,
        0x22, 0x21, 0x00, 0x91, //         add  x2, x9, #8             &frame->BlockedBefore,
        0x03, 0x01, 0x80, 0xD2, //         mov  x3, #8                 8)
        0x01, 0x00, 0x00, 0xD4, //         svc  #0
        0x88, 0x1B, 0x80, 0xD2, //         mov  x8, #220             clone(
        0x20, 0x09, 0x40, 0xF9, //         ldr  x0, [x9, #16]          frame->Flags,
        0x01, 0x00, 0x80, 0xD2, //         mov  x1, #0                 the same stack,
        0x22, 0x81, 0x00, 0x91, //         add  x2, x9, #32            &frame->PidFd,
        0x03, 0x00, 0x80, 0xD2, //         mov  x3, #0                 null,
        0x24, 0xE1, 0x00, 0x91, //         add  x4, x9, #56            &frame->HasBegun)
        0x01, 0x00, 0x00, 0xD4, //         svc  #0
        0x20, 0x01, 0x00, 0xB4, //         cbz  x0, child
        0x20, 0x0D, 0x00, 0xF9, //         str  x0, [x9, #24]        frame->Result
        0xE8, 0x10, 0x80, 0xD2, //         mov  x8, #135             rt_sigprocmask(
        0x40, 0x00, 0x80, 0xD2, //         mov  x0, #2                 SIG_SETMASK,
        0x21, 0x21, 0x00, 0x91, //         add  x1, x9, #8             &frame->BlockedBefore,
        0x02, 0x00, 0x80, 0xD2, //         mov  x2, #0                 null,
        0x03, 0x01, 0x80, 0xD2, //         mov  x3, #8                 8)
        0x01, 0x00, 0x00, 0xD4, //         svc  #0
        0xC0, 0x03, 0x5F, 0xD6, //         ret
        0x2A, 0x19, 0x40, 0xF9, // child:  ldr  x10, [x9, #48]       frame->Calls
        0x48, 0x01, 0x40, 0xF9, // next:   ldr  x8, [x10]
        0x40, 0x85, 0x40, 0xA9, //         ldp  x0, x1, [x10, #8]
        0x42, 0x8D, 0x41, 0xA9, //         ldp  x2, x3, [x10, #24]
        0x01, 0x00, 0x00, 0xD4, //         svc  #0
        0x60, 0x00, 0xF8, 0xB7, //         tbnz x0, #63, failed
        0x4A, 0xA1, 0x00, 0x91, //         add  x10, x10, #40
        0xFA, 0xFF, 0xFF, 0x17, //         b    next
        0xE0, 0x03, 0x00, 0x4B, // failed: neg  w0, w0
        0x20, 0x25, 0x00, 0xB9, //         str  w0, [x9, #36]        frame->Error
        0x2A, 0x15, 0x00, 0xF9, //         str  x10, [x9, #40]       frame->Failed
        0xC8, 0x0B, 0x80, 0xD2, //         mov  x8, #94              exit_group(
        0xE0, 0x0F, 0x80, 0xD2, //         mov  x0, #127               127)
        0x01, 0x00, 0x00, 0xD4, //         svc  #0
    ];
}
