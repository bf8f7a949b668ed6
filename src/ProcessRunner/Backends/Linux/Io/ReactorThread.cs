using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Represents a thread that serves a reactor. It also starts the children of a batch, and such a start can hang in a
/// file system. The reactor then gets another thread, and this thread ends as soon as its start returns.
/// </summary>
/// <remarks>
/// The reactor determines which of its threads serves it. A thread that has been replaced handles no further event: its
/// successor receives the events that it fetched, because no descriptor with an interest is watched edge-triggered.
/// <c>s_current</c> is a field of each thread, which alone reads and writes it.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class ReactorThread
{
    private const int EventCapacity = 256;
    private const int StackSize = 256 * 1024;

    [ThreadStatic]
    private static ReactorThread? s_current;

    private readonly EpollReactor _reactor;
    private readonly Thread _thread;

    // Allocated before the thread begins, when a shortage can still be reported.
    private readonly EpollEvents _events;
    private readonly (LinuxChild Child, ulong Token)[] _ready = new (LinuxChild, ulong)[EventCapacity];
    private long _startSince = MonotonicClock.Never;

    public ReactorThread(EpollReactor reactor, int index)
    {
        _reactor = reactor;
        _thread = OwnThread.Create($"ProcessRunner I/O {index}", Loop, StackSize);
        _events = new EpollEvents((byte*)NativeMemory.Alloc((nuint)(EventCapacity * EpollEvents.Size)));
    }

    /// <summary>Gets the reactor thread that is running this code, if it serves its reactor; otherwise null.</summary>
    public static ReactorThread? Current => s_current is { IsServing: true } current ? current : null;

    /// <summary>Gets the reactor that the thread serves or has served.</summary>
    public EpollReactor Reactor => _reactor;

    /// <summary>Gets whether the thread has begun and not ended.</summary>
    public bool IsAlive => _thread.IsAlive;

    /// <summary>
    /// Gets the instant at which the start in progress on this thread began, or <see cref="MonotonicClock.Never"/>.
    /// </summary>
    public long StartSince => Volatile.Read(ref _startSince);

    private bool IsServing => _reactor.IsServedBy(this);

    /// <summary>Starts the thread.</summary>
    /// <exception cref="OutOfMemoryException">The system has no further thread.</exception>
    public void Start()
    {
        try
        {
            OwnThread.Start(_thread);
        }
        catch (OutOfMemoryException)
        {
            NativeMemory.Free(_events.Address);
            throw;
        }
    }

    /// <summary>Waits for the thread's end.</summary>
    public void Join() => Uninterruptible.Do(_thread, static thread => thread.Join());

    /// <summary>Notes that a start begins on this thread. The thread itself calls this.</summary>
    public void BeginStart() => Volatile.Write(ref _startSince, MonotonicClock.Now);

    /// <summary>Notes that the start is over. The thread itself calls this.</summary>
    public void EndStart() => Volatile.Write(ref _startSince, MonotonicClock.Never);

    private void Loop()
    {
        s_current = this;
        try
        {
            while (_reactor.PrepareSleep(this, out int timeout))
            {
                bool mustReturn = _reactor.IdleActions.Any;
                int count = _reactor.Sleep(_events, EventCapacity, mustReturn ? 0 : timeout);
                HandleReady(count);
                HandleExpired();
                if (mustReturn && IsServing)
                {
                    _reactor.IdleActions.Run(isIdle: count <= 0);
                }
            }

            NativeMemory.Free(_events.Address);
        }
        catch (Exception exception)
        {
            Environment.FailFast("ProcessRunner: a reactor thread met a broken invariant.", exception);
        }
    }

    // Not inlined, so that no local of the loop keeps a finished child alive while the thread sleeps.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void HandleReady(int count)
    {
        int resolved = _reactor.Resolve(_events, count, _ready);
        for (int i = 0; i < resolved && IsServing; i++)
        {
            _ready[i].Child.OnReady(EventToken.Source(_ready[i].Token), DescriptorWatcher.Reactor);
        }

        Array.Clear(_ready, 0, resolved);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void HandleExpired()
    {
        // Handles each entry about once a turn: an entry that sets a new deadline at once must not keep the reactor
        // from the pipes.
        for (int turns = _reactor.CountDeadlines(); turns > 0 && IsServing; turns--)
        {
            switch (_reactor.TakeExpired())
            {
                case null:
                    return;

                case LinuxChild child:
                    child.OnDeadline();
                    break;

                case KeptTimer timer:
                    timer.OnDeadline();
                    break;
            }
        }
    }
}
