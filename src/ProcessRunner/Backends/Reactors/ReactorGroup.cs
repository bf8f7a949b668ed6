using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Threading;

namespace ProcessRunner.Backends.Reactors;

/// <summary>
/// Represents the reactors of one backend, over which the children are spread evenly, and the watch over starts on
/// their threads. Except for the counter of timers, the fields never change after construction, so every member is
/// thread-safe.
/// </summary>
internal sealed class ReactorGroup : IDisposable
{
    private readonly Reactor[] _reactors;
    private readonly StartWatchdog _watchdog;
    private uint _timers;

    /// <param name="count">The number of reactors.</param>
    /// <param name="create">Creates the reactor with an index.</param>
    /// <exception cref="Win32Exception">The system lacks a resource. Nothing is left.</exception>
    /// <exception cref="OutOfMemoryException">No thread is available. Nothing is left.</exception>
    public ReactorGroup(int count, Func<int, Reactor> create)
    {
        _reactors = new Reactor[count];
        _watchdog = new StartWatchdog(_reactors);
        int started = 0;
        try
        {
            for (; started < count; started++)
            {
                _reactors[started] = create(started);
            }
        }
        catch
        {
            DisposeReactors(started);
            throw;
        }
    }

    /// <summary>Gets the number of threads that currently run.</summary>
    public int ThreadCount => _reactors.Sum(reactor => reactor.ThreadCount) + (_watchdog.IsRunning ? 1 : 0);

    /// <summary>Gets the children that are registered now.</summary>
    public IEnumerable<BackendChild> Children => _reactors.SelectMany(reactor => reactor.Children());

    private ReactorThread? ServingThread =>
        ReactorThread.Current is ReactorThread current && Array.IndexOf(_reactors, current.Reactor) >= 0
            ? current
            : null;

    /// <summary>
    /// Chooses the reactor for a child: that of the calling thread, so that start and drain happen on the same thread,
    /// unless another reactor has clearly fewer children.
    /// </summary>
    public Reactor Choose()
    {
        Reactor? own = ServingThread?.Reactor;
        Reactor chosen = own ?? _reactors[0];
        foreach (Reactor reactor in _reactors)
        {
            if (reactor.Load + (own is null ? 0 : 1) < chosen.Load)
            {
                chosen = reactor;
                own = null;
            }
        }

        return chosen;
    }

    /// <summary>Creates a timer on one of the reactors.</summary>
    public BackendTimer CreateTimer(Action<long> expired) =>
        new KeptTimer(_reactors[Interlocked.Increment(ref _timers) % (uint)_reactors.Length], expired);

    /// <summary>
    /// Calls an action once the reactor of the calling thread has nothing else to do; at once on another thread.
    /// </summary>
    public void DoWhenIdle(Action action)
    {
        if (ServingThread is ReactorThread thread)
        {
            thread.Reactor.DoWhenIdle(action, thread);
        }
        else
        {
            action();
        }
    }

    /// <inheritdoc cref="StartWatchdog.OnStart"/>
    public ReactorThread? OnStart() => _watchdog.OnStart();

    /// <summary>Ends the threads. All children must have been released.</summary>
    public void Dispose()
    {
        _watchdog.Dispose();
        DisposeReactors(_reactors.Length);
    }

    private void DisposeReactors(int count)
    {
        foreach (Reactor reactor in _reactors.AsSpan(0, count))
        {
            reactor.Dispose();
        }
    }
}
