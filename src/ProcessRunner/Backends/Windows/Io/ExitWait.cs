using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>
/// Represents the wait for the exit of a child. The system waits for many processes, and a thread of a pool only posts
/// a packet to the port of the child's reactor. A field of the child, never copied. Guarded by the child's gate.
/// </summary>
/// <remarks>
/// The pool is one of this library: that of the process is .NET's ThreadPool as well where the host chooses so, as
/// Native AOT does, and then blocked work of the host would hold up the exits.
/// </remarks>
[SupportedOSPlatform("windows")]
internal unsafe struct ExitWait
{
    private const uint MostThreads = 2;

    // For all children, open for good.
    private static nint s_pool;

    private nint _wait;

    /// <summary>Begins to wait.</summary>
    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    public void Begin(nint process, TransferBlock* block)
    {
        const uint Version = 3;
        Kernel32.TP_CALLBACK_ENVIRON_V3 environment = new()
        {
            Version = Version,
            Pool = Pool(),
            CallbackPriority = Kernel32.TP_CALLBACK_PRIORITY_NORMAL,
            Size = (uint)sizeof(Kernel32.TP_CALLBACK_ENVIRON_V3),
        };
        _wait = Kernel32.CreateThreadpoolWait(&OnExit, block, &environment);
        if (_wait == 0)
        {
            throw SystemError.Of("CreateThreadpoolWait");
        }

        Kernel32.SetThreadpoolWait(_wait, process);
    }

    /// <summary>
    /// Ends the wait, also after the exit, and waits for a call under way, which takes no lock. Must come before the
    /// process is closed and the block is freed.
    /// </summary>
    public void End()
    {
        if (_wait != 0)
        {
            Kernel32.SetThreadpoolWait(_wait, 0);
            Kernel32.WaitForThreadpoolWaitCallbacks(_wait, cancelsPending: true);
            Kernel32.CloseThreadpoolWait(_wait);
            _wait = 0;
        }
    }

    private static nint Pool()
    {
        if (Volatile.Read(ref s_pool) is nint pool and not 0)
        {
            return pool;
        }

        pool = CreatePool();
        nint other = Interlocked.CompareExchange(ref s_pool, pool, 0);
        if (other == 0)
        {
            return pool;
        }

        Kernel32.CloseThreadpool(pool);
        return other;
    }

    // One thread lives from the start, so that an exit needs none that the system might not have.
    private static nint CreatePool()
    {
        nint pool = Kernel32.CreateThreadpool();
        if (pool == 0)
        {
            throw SystemError.Of("CreateThreadpool");
        }

        Kernel32.SetThreadpoolThreadMaximum(pool, MostThreads);
        if (!Kernel32.SetThreadpoolThreadMinimum(pool, 1))
        {
            Win32Exception failure = SystemError.Of("SetThreadpoolThreadMinimum");
            Kernel32.CloseThreadpool(pool);
            throw failure;
        }

        return pool;
    }

    [UnmanagedCallersOnly]
    private static void OnExit(nint instance, void* context, nint wait, uint result)
    {
        TransferBlock* block = (TransferBlock*)context;
        CompletionReactor.Post(block->Port, block->ExitKey);
    }
}
