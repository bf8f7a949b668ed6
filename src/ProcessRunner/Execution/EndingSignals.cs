using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Kills the children of all engines if SIGINT, SIGQUIT, SIGTERM or SIGHUP ends this process, and only then. The user's
/// handlers decide whether a signal does, and may be called after ours. Each of these signals therefore opens an
/// interval in which a guardian kills the children if this process ends. The interval closes once this process is known
/// to go on.
/// </summary>
/// <remarks>
/// <para>The runtime calls the handlers of a signal (<see cref="PosixSignalRegistration"/>) one after the other, and
/// then performs the signal's default action unless a handler has set Cancel. It creates a thread for each SIGINT,
/// SIGQUIT and SIGTERM, but calls the handlers of SIGHUP on the ThreadPool, which may have no free thread. Each SIGHUP
/// is therefore also noted separately, and ends this process if no other code has registered for it.</para>
/// <para>A thread of our own does all the work, and the handler waits for it, though not forever. Registrations exist
/// while an engine has children and up to a second longer. At other times the process behaves as if this library were
/// absent.</para>
/// <para>There is one instance, because a signal ends the process and not an engine. <c>_gate</c> guards everything.
/// Locks of reactors are acquired inside it. No process is started with it held.</para>
/// </remarks>
internal sealed class EndingSignals
{
    private static readonly PosixSignal[] s_signals =
        [PosixSignal.SIGINT, PosixSignal.SIGQUIT, PosixSignal.SIGTERM, PosixSignal.SIGHUP];

    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_intervalInMoment = TimeSpan.FromMilliseconds(20);

    // A guardian starts within milliseconds, and a process ends as fast, but not on a heavily overloaded machine.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(15);

    private readonly object _gate = new();
    private readonly List<EngineGuard> _engines = [];
    private readonly List<SignalMoment> _moments = [];
    private readonly Dictionary<PosixSignal, PosixSignalRegistration> _registrations = [];
    private Thread? _thread;
    private volatile bool _isExiting;

    private EndingSignals() => AppDomain.CurrentDomain.ProcessExit += (_, _) => OnExit();

    /// <summary>Gets the instance of this process.</summary>
    public static EndingSignals Shared { get; } = new();

    /// <summary>Watches for signals on behalf of an engine until the engine has no children.</summary>
    public void Watch(EngineGuard engine)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (!engine.IsWatched)
            {
                try
                {
                    _engines.Add(engine);
                }
                catch (OutOfMemoryException)
                {
                    // The next start of that engine tries again.
                    return;
                }

                engine.IsWatched = true;
                Uninterruptible.Do(this, static signals => signals.Register());
                if (_thread is null)
                {
                    // Nothing has been registered.
                    engine.IsWatched = false;
                    _engines.Remove(engine);
                    engine.WatchLater();
                    return;
                }

                Monitor.PulseAll(_gate);
            }
        }
    }

    // Requires the gate. Can be interrupted and called again. A lack of descriptors or memory is no failure of a run:
    // the missing part is obtained later.
    private void Register()
    {
        Uninterruptible.AssertHeld(_gate);
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

            _engines[0].HangUps?.Note();
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

    // Runs on a thread of the runtime, which performs the signal's default action once this method returns.
    private void OnSignal(PosixSignalContext context)
    {
        lock (_gate)
        {
            if (context.Cancel || _isExiting || !_engines.Exists(engine => engine.HasChildren))
            {
                return;
            }

            SignalMoment moment;
            try
            {
                moment = new SignalMoment(
                    context, Thread.CurrentThread.IsThreadPoolThread ? null : Thread.CurrentThread);
                _moments.Add(moment);
            }
            catch (OutOfMemoryException)
            {
                // The signal must take effect, with or without a guardian.
                return;
            }

            Monitor.PulseAll(_gate);
            long patienceEnd = MonotonicClock.In(s_patience);
            while (!moment.IsGuarded && MonotonicClock.Until(patienceEnd) is TimeSpan left && left > TimeSpan.Zero)
            {
                Monitor.Wait(_gate, left);
            }
        }
    }

    // Environment.Exit and a return from Main are not ends by a signal, even while a signal is pending.
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
            bool isOver = false;
            Action<EndingSignals> guard = static signals => signals.GuardChildren();
            Action<EndingSignals> forget = signals => isOver = signals.ForgetWhatIsOver();
            while (!isOver)
            {
                MemoryRetry.Do(this, guard);
                MemoryRetry.Do(this, forget);
            }
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

        bool hasHungUp = engines[0].HangUps?.Take() == true;
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
                // If this was the last registration, the default action is restored. Otherwise the other handlers
                // decide, on the ThreadPool.
                registration.Dispose();
                engines[0].HangUps?.EndUnlessHandled();
            }
        }
    }

    // Returns true if there is nothing left to do, which ends the thread.
    private bool ForgetWhatIsOver()
    {
        lock (_gate)
        {
            long now = MonotonicClock.Now;
            _moments.RemoveAll(moment => moment.IsGuarded && moment.IsOver(now));
            foreach (EngineGuard engine in _engines.ToArray())
            {
                // The order matters: a child started meanwhile is either counted here or finds the engine unwatched.
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

    /// <summary>Represents the interval from the arrival of a signal until this process is known to go on.</summary>
    /// <param name="Context">The context that the handlers receive.</param>
    /// <param name="Thread">The thread that calls the handlers, or null if it is a ThreadPool thread.</param>
    private sealed record SignalMoment(PosixSignalContext Context, Thread? Thread)
    {
        private long _patienceEnd = MonotonicClock.Never;

        /// <summary>Gets or sets whether the children are killed if this process ends.</summary>
        public bool IsGuarded { get; set; }

        /// <summary>
        /// Returns whether this process goes on because a handler has decided so. Otherwise the runtime sends the
        /// signal again for its default action, and the signal is still on its way when the handlers' thread ends:
        /// another thread receives it, and a handler of the runtime may send it once more. Only a process that lives
        /// long after that has a handler of its own.
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
