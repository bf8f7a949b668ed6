using System;
using System.Runtime.CompilerServices;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Reactors;

/// <summary>
/// Represents a thread that serves a reactor. It also starts the children of a batch, and such a start can hang in a
/// file system. The reactor then gets another thread, and this thread ends as soon as its start returns.
/// </summary>
/// <remarks>
/// The reactor determines which of its threads serves it. A thread that has been replaced handles no further event: its
/// successor receives the events that it fetched. <c>s_current</c> is a field of each thread, which alone reads and
/// writes it.
/// </remarks>
internal abstract class ReactorThread
{
    private const int StackSize = 256 * 1024;

    private static readonly TimeSpan s_turn = TimeSpan.FromMilliseconds(50);

    [ThreadStatic]
    private static ReactorThread? s_current;

    private readonly Thread _thread;
    private long _startSince = MonotonicClock.Never;
    private long _turnSince;

    protected ReactorThread(Reactor reactor, int index)
    {
        Reactor = reactor;
        _thread = OwnThread.Create($"ProcessRunner I/O {index}", Loop, StackSize);
    }

    /// <summary>Gets the reactor thread that is running this code, if it serves its reactor; otherwise null.</summary>
    public static ReactorThread? Current => s_current is { IsServing: true } current ? current : null;

    /// <inheritdoc cref="ProcessBackend.HoldsUpOthers"/>
    public static bool HoldsUpOthers(long now) =>
        Current is ReactorThread thread && now >= MonotonicClock.After(thread._turnSince, s_turn);

    /// <summary>Gets the reactor that the thread serves or has served.</summary>
    public Reactor Reactor { get; }

    /// <summary>Gets whether the thread has begun and not ended.</summary>
    public bool IsAlive => _thread.IsAlive;

    /// <summary>
    /// Gets the instant at which the start in progress on this thread began, or <see cref="MonotonicClock.Never"/>.
    /// </summary>
    public long StartSince => Volatile.Read(ref _startSince);

    /// <summary>Gets whether the thread serves its reactor, and has not been replaced.</summary>
    protected bool IsServing => Reactor.IsServedBy(this);

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
            FreeMemory();
            throw;
        }
    }

    /// <summary>Waits for the thread's end.</summary>
    public void Join() => Uninterruptible.Do(_thread, static thread => thread.Join());

    /// <summary>Notes that a start begins on this thread. The thread itself calls this.</summary>
    public void BeginStart() => Volatile.Write(ref _startSince, MonotonicClock.Now);

    /// <summary>Notes that the start is over. The thread itself calls this.</summary>
    public void EndStart() => Volatile.Write(ref _startSince, MonotonicClock.Never);

    /// <summary>Sleeps until events arrive, at most for the given number of milliseconds.</summary>
    /// <returns>The number of events.</returns>
    protected abstract int Sleep(int timeout);

    /// <summary>Handles the events that have arrived, as long as this thread serves the reactor.</summary>
    protected abstract void HandleReady(int count);

    /// <summary>Handles the deadline of a child.</summary>
    protected abstract void HandleDeadline(BackendChild child);

    /// <summary>Frees the native memory of the thread, which has ended or will never begin.</summary>
    protected abstract void FreeMemory();

    private void Loop()
    {
        s_current = this;
        try
        {
            while (Reactor.PrepareSleep(this, out int timeout))
            {
                bool mustReturn = Reactor.IdleActions.Any;
                int count = Sleep(mustReturn ? 0 : timeout);
                _turnSince = MonotonicClock.Now;
                HandleReady(count);
                HandleExpired();
                if (mustReturn && IsServing)
                {
                    Reactor.IdleActions.Run(isIdle: count <= 0);
                }
            }

            FreeMemory();
        }
        catch (Exception exception)
        {
            Environment.FailFast("ProcessRunner: a reactor thread met a broken invariant.", exception);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void HandleExpired()
    {
        // Handles each entry once a turn: an entry that sets a new deadline at once must not keep the reactor from the
        // pipes.
        long now = MonotonicClock.Now;
        for (int turns = Reactor.CountDeadlines(); turns > 0 && IsServing; turns--)
        {
            switch (Reactor.TakeExpired(now))
            {
                case null:
                    return;

                case BackendChild child:
                    HandleDeadline(child);
                    break;

                case KeptTimer timer:
                    timer.OnDeadline();
                    break;
            }
        }
    }
}
