using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Provides a record of each SIGHUP that is made before the runtime's handler runs: that handler passes the signal to
/// the ThreadPool, which may have no thread to spare. The record is made by a few instructions of machine code, because
/// nothing managed may run in a signal handler. They set a byte and jump to the runtime's handler, whose registers and
/// stack they leave alone.
/// </summary>
/// <remarks>
/// The state belongs to the process, as its signal handlers do. Calls must not overlap, except those of
/// <see cref="Take"/>. The code is loaded once and stays loaded, because others may have saved it as the handler that
/// preceded their own.
/// </remarks>
[SupportedOSPlatform("linux")]
internal static unsafe class HangUp
{
    // The offsets of the two addresses in the code.
    private const int X64HasCome = 6;
    private const int X64Next = 19;
    private const int Arm64HasCome = 24;
    private const int Arm64Next = 32;

    private static readonly byte* s_hasCome = (byte*)NativeMemory.AllocZeroed(1);
    private static nint s_code;
    private static nint s_next;

    private static ReadOnlySpan<byte> X64 =>
    [
        0xF3, 0x0F, 0x1E, 0xFA,             // endbr64
        0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, // movabs rax, 0           hasCome
        0xC6, 0x00, 0x01,                   // mov byte ptr [rax], 1
        0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, // movabs rax, 0           next
        0xFF, 0xE0,                         // jmp rax
    ];

    private static ReadOnlySpan<byte> Arm64 =>
    [
        0x5F, 0x24, 0x03, 0xD5,             // bti  c
        0xB0, 0x00, 0x00, 0x58,             // ldr  x16, hasCome
        0x31, 0x00, 0x80, 0x52,             // mov  w17, #1
        0x11, 0x02, 0x00, 0x39,             // strb w17, [x16]
        0x90, 0x00, 0x00, 0x58,             // ldr  x16, next
        0x00, 0x02, 0x1F, 0xD6,             // br   x16
        0, 0, 0, 0, 0, 0, 0, 0,             // hasCome: .quad 0
        0, 0, 0, 0, 0, 0, 0, 0,             // next: .quad 0
    ];

    /// <summary>Installs the recorder in front of the current handler, if there is one.</summary>
    public static void Note()
    {
        LibC.SignalAction action;
        if (LibC.SetSignalAction(LibC.SIGHUP, null, &action) < 0
            || action.sa_handler is LibC.SIG_DFL or LibC.SIG_IGN
            || action.sa_handler == s_code)
        {
            return;
        }

        if (s_code == 0)
        {
            Load(action.sa_handler);
        }

        if (s_code != 0 && s_next == action.sa_handler)
        {
            action.sa_handler = s_code;
            _ = LibC.SetSignalAction(LibC.SIGHUP, &action, null);
        }
    }

    /// <summary>Returns whether a SIGHUP has arrived since the last call, and resets the record.</summary>
    public static bool Take() => Interlocked.Exchange(ref *s_hasCome, 0) != 0;

    /// <summary>Ends this process by SIGHUP if the signal is neither handled nor ignored.</summary>
    public static void EndUnlessHandled()
    {
        LibC.SignalAction action;
        if (LibC.SetSignalAction(LibC.SIGHUP, null, &action) == 0 && action.sa_handler == LibC.SIG_DFL)
        {
            _ = LibC.Kill(Environment.ProcessId, LibC.SIGHUP);
        }
    }

    // If this machine allows no new code, SIGHUP waits for the ThreadPool.
    private static void Load(nint next)
    {
        bool isArm = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;
        ReadOnlySpan<byte> template = isArm ? Arm64 : X64;
        Span<byte> code = stackalloc byte[template.Length];
        template.CopyTo(code);
        BinaryPrimitives.WriteInt64LittleEndian(code[(isArm ? Arm64HasCome : X64HasCome)..], (nint)s_hasCome);
        BinaryPrimitives.WriteInt64LittleEndian(code[(isArm ? Arm64Next : X64Next)..], next);
        s_code = MachineCode.Load(code, "ProcessRunner SIGHUP");
        s_next = next;
    }
}
