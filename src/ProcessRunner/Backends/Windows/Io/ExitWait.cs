using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>
/// Represents the wait for the exit of a child. A thread of the system waits for many processes, and only posts a
/// packet to the port of the child's reactor. A field of the child, never copied. Guarded by the child's gate.
/// </summary>
[SupportedOSPlatform("windows")]
internal unsafe struct ExitWait
{
    private nint _wait;

    /// <summary>Begins to wait.</summary>
    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    public void Begin(nint process, TransferBlock* block)
    {
        _wait = Kernel32.RegisterWaitForSingleObject(
            process, &OnExit, block, Kernel32.INFINITE, Kernel32.WT_EXECUTEINWAITTHREAD | Kernel32.WT_EXECUTEONLYONCE);
        if (_wait == 0)
        {
            throw SystemError.Of("RegisterWaitForSingleObject");
        }
    }

    /// <summary>
    /// Ends the wait, also after the exit, and waits for a call under way, which takes no lock. Must come before the
    /// process is closed and the block is freed.
    /// </summary>
    public void End()
    {
        if (_wait != 0)
        {
            Kernel32.UnregisterWaitEx(_wait, Kernel32.INVALID_HANDLE_VALUE);
            _wait = 0;
        }
    }

    [UnmanagedCallersOnly]
    private static void OnExit(void* context, byte hasTimedOut)
    {
        TransferBlock* block = (TransferBlock*)context;
        CompletionReactor.Post(block->Port, block->ExitKey);
    }
}
