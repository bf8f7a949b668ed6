using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// Has the children of all engines killed if SIGINT, SIGQUIT, SIGTERM or SIGHUP ends this process, and only then. Whether it
/// does is decided by handlers of the user's, which may be called after ours; so each of these signals begins a moment in
/// which a guardian kills the children if this process ends. The moment is over once it is known that this process goes on.
/// </summary>
/// <remarks>
/// <para>The runtime calls the handlers of a signal (<see cref="PosixSignalRegistration"/>) one after the other, and then has
/// the signal do what it does by default, unless one of them has set Cancel. It has a thread for each SIGINT, SIGQUIT and
/// SIGTERM, but calls those of SIGHUP on the ThreadPool, which may have no thread to spare: so each SIGHUP is noted as well,
/// and ends this process if nobody but us has registered for it.</para>
/// <para>All is done on a thread of our own, for which the handler waits, though not for ever. Signals are registered for while
/// an engine has children, and up to a second longer; else nothing is different from a program without this library.</para>
/// <para><c>_gate</c> guards everything. Reactors' locks are taken inside it. No process is started with it held.</para>
/// </remarks>
internal sealed class EndingSignals
{
    private static readonly PosixSignal[] s_signals =
        [PosixSignal.SIGINT, PosixSignal.SIGQUIT, PosixSignal.SIGTERM, PosixSignal.SIGHUP];

    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_intervalInMoment = TimeSpan.FromMilliseconds(20);

    // A guardian is there within milliseconds, and the end as well, but not on a machine that has many times more to do than it
    // can.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(15);

    private readonly object _gate = new();
    private readonly List<EngineGuard> _engines = [];
    private readonly List<SignalMoment> _moments = [];
    private readonly Dictionary<PosixSignal, PosixSignalRegistration> _registrations = [];
    private Thread? _thread;
    private volatile bool _isExiting;

    private EndingSignals() => AppDomain.CurrentDomain.ProcessExit += (_, _) => OnExit();

    /// <summary>The one of this process.</summary>
    public static EndingSignals Shared { get; } = new();

    /// <summary>Looks out for signals on behalf of an engine, until it has no children any more.</summary>
    public void Watch(EngineGuard engine)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (!engine.IsWatched)
            {
                engine.IsWatched = true;
                _engines.Add(engine);
                Uninterruptible.Do(this, static signals => signals.Register());
                Monitor.PulseAll(_gate);
            }
        }
    }

    // With the gate held. Can be interrupted and begun anew. What cannot be had now, for want of descriptors or memory, is had
    // later: no run fails for it.
    private void Register()
    {
        try
        {
            if (_thread is null)
            {
                _thread = OwnThread.Start("ProcessRunner host end", Loop);
            }

            foreach (PosixSignal signal in s_signals)
            {
                if (!_registrations.ContainsKey(signal))
                {
                    _registrations.Add(signal, PosixSignalRegistration.Create(signal, OnSignal));
                }
            }

            _engines[0].Backend.NoteHangUps();
        }
        catch (Exception exception) when (exception is IOException or OutOfMemoryException)
        {
        }
    }

    private void Unregister()
    {
        foreach (PosixSignalRegistration registration in _registrations.Values)
        {
            registration.Dispose();
        }

        _registrations.Clear();
    }

    // On a thread of the runtime's, which does what the signal does by default once this has returned.
    private void OnSignal(PosixSignalContext context)
    {
        lock (_gate)
        {
            if (context.Cancel || _isExiting || !_engines.Exists(engine => engine.HasChildren))
            {
                return;
            }

            SignalMoment moment = new(context, Thread.CurrentThread.IsThreadPoolThread ? null : Thread.CurrentThread);
            _moments.Add(moment);
            Monitor.PulseAll(_gate);
            long patienceEnd = MonotonicClock.After(MonotonicClock.Now, s_patience);
            while (!moment.IsGuarded && MonotonicClock.Until(patienceEnd) is TimeSpan left && left > TimeSpan.Zero)
            {
                Monitor.Wait(_gate, left);
            }
        }
    }

    // Environment.Exit and a return from Main are no ends by a signal, even in the moment of one.
    private void OnExit()
    {
        EngineGuard[] engines;
        lock (_gate)
        {
            _isExiting = true;
            engines = [.. _engines];
        }

        Array.ForEach(engines, engine => engine.End());
    }

    private void Loop()
    {
        try
        {
            do
            {
                GuardChildren();
            }
            while (!ForgetWhatIsOver());
        }
        catch (Exception exception)
        {
            Environment.FailFast("ProcessRunner: the thread for signals met a broken invariant.", exception);
        }
    }

    private void GuardChildren()
    {
        SignalMoment[] moments;
        EngineGuard[] engines;
        lock (_gate)
        {
            if (_moments.TrueForAll(moment => moment.IsGuarded))
            {
                Monitor.Wait(_gate, _moments.Count > 0 ? s_intervalInMoment : s_interval);
            }

            moments = [.. _moments.FindAll(moment => !moment.IsGuarded)];
            engines = [.. _engines];
        }

        bool hasHungUp = engines[0].Backend.TakeHangUp();
        if (moments.Length > 0 || hasHungUp)
        {
            Array.ForEach(engines, engine => engine.Begin());
        }

        lock (_gate)
        {
            Array.ForEach(moments, moment => moment.IsGuarded = true);
            Monitor.PulseAll(_gate);
            if (hasHungUp && _registrations.Remove(PosixSignal.SIGHUP, out PosixSignalRegistration? registration))
            {
                // If it was the last one the default action is back. Else it is the others' turn, on the ThreadPool.
                registration.Dispose();
                engines[0].Backend.HangUpUnlessHandled();
            }
        }
    }

    // True if there is nothing left to do, which ends the thread.
    private bool ForgetWhatIsOver()
    {
        lock (_gate)
        {
            long now = MonotonicClock.Now;
            _moments.RemoveAll(moment => moment.IsGuarded && moment.IsOver(now));
            foreach (EngineGuard engine in _engines.ToArray())
            {
                // In this order: a child that is started meanwhile either is counted or finds that it is not watched.
                engine.IsWatched = false;
                Interlocked.MemoryBarrier();
                engine.IsWatched = engine.HasChildren;
                if (_moments.Count == 0 || !engine.IsWatched)
                {
                    engine.End();
                }
            }

            _engines.RemoveAll(engine => !engine.IsWatched);
            if (_engines.Count == 0)
            {
                Unregister();
                _thread = null;
                return true;
            }

            if (_registrations.Count < s_signals.Length)
            {
                Register();
            }

            return false;
        }
    }

    /// <summary>From the arrival of a signal until it is known that this process goes on.</summary>
    /// <param name="Context">What the handlers are given.</param>
    /// <param name="Thread">The one on which they are called, or null if that is one of the ThreadPool's.</param>
    private sealed record SignalMoment(PosixSignalContext Context, Thread? Thread)
    {
        private long _patienceEnd = MonotonicClock.Never;

        /// <summary>Whether the children are killed if this process ends.</summary>
        public bool IsGuarded { get; set; }

        /// <summary>
        /// Whether this process goes on: one of the handlers has decided so. Else the signal is sent again, for its default action,
        /// and is on its way still when their thread has ended: another thread gets it, and a handler of the runtime's may send it
        /// once more. Only a process that lives long after that has a handler of its own.
        /// </summary>
        public bool IsOver(long now)
        {
            if (Thread is not { IsAlive: false })
            {
                return Thread is null && Context.Cancel;
            }

            _patienceEnd = Math.Min(_patienceEnd, MonotonicClock.After(now, s_patience));
            return Context.Cancel || now >= _patienceEnd;
        }
    }
}
