using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Faults;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Streams.Input;

namespace ProcessRunner.Execution;

/// <summary>
/// The life of one child from before its start to its result: decides when its start is tried again, when it is stopped, how
/// long its pipes are drained after its exit, what becomes of its descendants, and what its outcome is.
/// </summary>
/// <remarks>
/// <para>States: starting (<see cref="ChildStart"/>); running; exited (the status is known, the child is a zombie that keeps
/// its id and its group's taken, while descendants are settled and the pipes drained); ended (released and completed). It
/// only moves forward; a start that fails for good goes from the first state to the last. A stop can begin in each of the
/// first three; the first cause stays, and counts if the child had not exited.</para>
/// <para>Everything mutable is guarded by the child's gate, <c>lock (_child)</c>. The backend's events come with the
/// gate held; <see cref="Stop"/> and <see cref="Signal"/> take it from any thread. An attempt to start is made without it,
/// since it can take as long as a file system does: its limits hold all the same. Whatever ends the child happens on the
/// thread that serves it, which is the reactor's, the waiting one or, for a child that has ended at its start, the starter's:
/// others set a deadline of now and so hand over to the reactor.</para>
/// </remarks>
internal sealed partial class ChildLife : IChildEvents, IStreamOwner
{
    // Once everybody that can be found is dead, only somebody who cannot be found holds a pipe.
    private static readonly TimeSpan s_drainAfterKill = TimeSpan.FromMilliseconds(100);

    private readonly BackendChild _child;
    private readonly EngineParts _engine;
    private readonly ChildStart _start;
    private readonly IRunObserver? _observer;
    private readonly RunStreams _streams;
    private DescendantSettler? _descendants;
    private bool _isInterrupted;
    private volatile bool _isSpared;
    private StopLadder? _ladder;
    private StopCause _cause;
    private DeliveryLimit _deliveryLimit = new();
    private ExitStatus? _status;
    private long _exitedAt;
    private long _lastOutputAt;
    private long _timeoutAt = MonotonicClock.Never;
    private long _drainUntil = MonotonicClock.Never;

    private ChildLife(StartOrder order, EngineParts engine, BackendChild child)
    {
        _child = child;
        _engine = engine;
        _observer = order.Observer;
        _start = new ChildStart(this, order.Attempt, order.IsTriedOnce);
        Completion = new RunCompletion(child);
        _streams = new RunStreams(order.Command, child, this);
    }

    /// <summary>What runs.</summary>
    public ProcessCommand Command => _streams.Command;

    /// <summary>The child, whose object is the gate.</summary>
    public BackendChild Child => _child;

    /// <summary>What its engine's children share.</summary>
    public EngineParts Engine => _engine;

    /// <summary>The process id of the child; 0 while it is being started.</summary>
    public int ProcessId => _child.ProcessId;

    /// <summary>What came of it, and those that wait for that.</summary>
    public RunCompletion Completion { get; }

    /// <summary>Whether the child is gone and released, or will never be there.</summary>
    public bool HasEnded => Completion.IsSet;

    /// <summary>Whether the child outlives its engine.</summary>
    public bool IsSpared => _isSpared;

    /// <summary>Whether the child had ended before its start returned; then no observer is told of it.</summary>
    public bool HasEndedAtStart { get; private set; }

    /// <summary>Whether a stop has begun before the exit. With the gate held.</summary>
    public bool IsStopped => _cause != StopCause.None;

    /// <summary>The live lines, or null if no stream goes there.</summary>
    public LineChannel? Lines => _streams.Lines;

    /// <summary>The standard input, if it is written by hand.</summary>
    public ChildInputStream? HandWrittenInput => _streams.HandWritten;

    StreamServices IStreamOwner.Services => _engine.Streams;

    ExecutionContext? IStreamOwner.Context => _observer is null ? ExecutionContext.Capture() : _observer.Context;

    /// <summary>Makes a run that is to be started. A stop reaches it from now on.</summary>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="InvalidOperationException">The command has a limit that could not be kept, or a stream that nobody could reach.</exception>
    public static ChildLife Create(StartOrder order, EngineParts engine)
    {
        FaultPoint.Allocate("managed memory");
        order.ThrowIfUnfit();
        BackendChild child = engine.Backend.Create(order.Command, order.Environment, order.Slot);
        ChildLife life = new(order, engine, child);
        using (Uninterruptible.Lock(child))
        {
            child.Watch(life, life._streams);
        }

        engine.Guard?.OnStart();
        return life;
    }

    /// <summary>
    /// Starts the child on the calling thread. Where the system is short of something it is tried again for a while, and the
    /// calling thread waits.
    /// </summary>
    /// <exception cref="ProcessStartException">It could not be started; nothing is left of it.</exception>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted while it waited; nothing is left of the child.</exception>
    public void Start()
    {
        _start.Attempt();
        _start.BlockUntilDecided();
        Completion.StartFailure?.Throw();
    }

    /// <summary>
    /// Starts the child and waits for nothing: a first attempt that could block is made on a delivery thread, further ones on
    /// a reactor. What has come of it is told by the <see cref="Completion"/>.
    /// </summary>
    public void StartAsync() => _start.AttemptAsync();

    /// <summary>Ends a run whose start has not begun, and never will.</summary>
    public void GiveUp(Exception failure)
    {
        using (Uninterruptible.Lock(_child))
        {
            if (!_start.HasBegun && !_start.IsDecided)
            {
                OnStartFailed(failure);
            }
        }

        _start.TellDecided();
    }

    /// <summary>Has something done once the start is decided, on whichever thread decides it, with no lock held.</summary>
    /// <returns>False if it is decided already: nothing will be done.</returns>
    public bool TryWhenStartDecided(Action action) => _start.TryWhenDecided(action);

    /// <summary>An attempt to start begins: its time counts. With the gate held.</summary>
    public void OnAttempt()
    {
        if (!IsStopped)
        {
            _timeoutAt = MonotonicClock.After(_start.Instant, Command.Timeout);
            SetDeadline();
        }
    }

    /// <summary>There is a child: what was asked of it while it was being started is done now. With the gate held.</summary>
    public void OnStarted()
    {
        _start.Decide();
        _lastOutputAt = MonotonicClock.Now;
        if (_isInterrupted)
        {
            Interrupt();
        }

        if (_ladder?.OnStarted() == true)
        {
            Kill(_lastOutputAt);
        }

        SetDeadline();
        _child.Begin();
        _streams.Start();
        HasEndedAtStart = HasEnded;
        _engine.OnStarted();
    }

    /// <summary>There will be no child. With the gate held.</summary>
    public void OnStartFailed(Exception failure)
    {
        _start.Decide();
        _child.Release();
        TellLaterUnless(Completion.TrySet(ExceptionDispatchInfo.Capture(failure)));
    }

    /// <summary>
    /// Begins to stop the child's group: the command's stop signal, then SIGKILL after <paramref name="grace"/>. Does
    /// nothing once the run has ended. A second call can only bring SIGKILL forward. A child whose start
    /// is under way is stopped by the same ladder, and a start that failed is not tried again. Any thread; does not wait.
    /// </summary>
    public void Stop(StopCause cause, TimeSpan grace)
    {
        using (Uninterruptible.Lock(_child))
        {
            if (!HasEnded)
            {
                BeginStop(cause, grace);
                SetDeadline();
            }
        }

        _start.TellDecided();
    }

    /// <summary>Sends a signal to the child alone. Any thread.</summary>
    /// <returns>False if the child has ended.</returns>
    public bool Signal(PosixSignal signal)
    {
        lock (_child)
        {
            return _status is null && _child.Signal(signal, SignalScope.Child);
        }
    }

    /// <summary>Takes the child out of what is killed when its engine or this process ends. Any thread.</summary>
    public void Spare()
    {
        lock (_child)
        {
            _isSpared = true;
            if (!HasEnded)
            {
                _child.Spare();
            }
        }
    }

    /// <summary>
    /// Sends the child's group what a terminal sends at Ctrl-C, unless it is our own, which the terminal has sent it. A child
    /// that is being started gets it as soon as it runs. Any thread.
    /// </summary>
    public void Interrupt()
    {
        lock (_child)
        {
            if (!_start.IsDecided)
            {
                _isInterrupted = true;
            }
            else if (_status is null && _child.LeadsGroup)
            {
                _child.Signal(PosixSignal.SIGINT, SignalScope.Group);
            }
        }
    }

    // Most runs end by themselves and leave nobody behind: they need none.
    private DescendantSettler Descendants => _descendants ??= new DescendantSettler(Command, _child);

    private StopLadder Ladder => _ladder ??= new StopLadder(_child, Command.StopSignal);

    private long KillAt => _ladder?.KillAt ?? MonotonicClock.Never;

    private long IdleUntil => MonotonicClock.After(_lastOutputAt, Command.IdleTimeout);

    private void BeginStop(StopCause cause, TimeSpan grace)
    {
        try
        {
            BeginStopNow(cause, grace);
        }
        catch (OutOfMemoryException)
        {
            OweStop(cause, grace);
        }
    }

    private void BeginStopNow(StopCause cause, TimeSpan grace)
    {
        FaultPoint.Allocate("managed memory");
        long now = MonotonicClock.Now;
        if (_status is null && _cause == StopCause.None)
        {
            _cause = cause;
        }

        // The limit of the whole run has done its work, or been overtaken.
        _timeoutAt = MonotonicClock.Never;
        _deliveryLimit.Begin(cause);
        Descendants.OnStop(now);
        if (_start.PauseAfter is ExceptionDispatchInfo failure)
        {
            OnStartFailed(failure.SourceException);
        }
        else if (_status is not null && !Descendants.MustSettle)
        {
            _drainUntil = now;
        }
        else if (grace == TimeSpan.Zero)
        {
            Kill(now);
        }
        else
        {
            Ladder.Begin(now, grace, isStarting: !_start.IsDecided);
        }
    }

    private void Kill(long now)
    {
        Ladder.Kill(now, isStarting: !_start.IsDecided);
        if (_start.IsDecided)
        {
            Descendants.OnKill(now);
        }
    }

    // Moves on as far as it goes; comes again with every event.
    private void Advance(long now)
    {
        _streams.EndClosed();
        if (_status is not null && AreSettled(now) && AreDrained(now) && AreLookedAt())
        {
            // What is taken here can be more than the child may write, which is a stop like any other.
            _streams.EndAll();
            if (AreSettled(now) && AreDelivered(now))
            {
                End();
                return;
            }
        }

        SetDeadline();
    }

    private bool AreSettled(long now) => _descendants is null || _descendants.AreSettled(now);

    private bool AreLookedAt()
    {
        bool isSuspicious = _streams.AreOpen;
        return (!isSuspicious && Command.Descendants != DescendantPolicy.Report) || Descendants.IsLookedAt(isSuspicious);
    }

    private bool AreDrained(long now)
    {
        if (_streams.AreOpen && _descendants?.KilledAt is long killedAt)
        {
            _drainUntil = Math.Min(_drainUntil, MonotonicClock.After(killedAt, s_drainAfterKill));
        }

        return !_streams.AreOpen || now >= _drainUntil;
    }

    // Receivers may take their time, but once the run is being stopped, or over its limit, not for ever.
    private bool AreDelivered(long now)
    {
        if (_deliveryLimit.TryGiveUp(_streams, now) && _cause == StopCause.None)
        {
            // The child may have ended in time: the run has not.
            _cause = _deliveryLimit.Cause;
        }

        return _streams.AreDelivered;
    }

    private void SetDeadline()
    {
        long next = this switch
        {
            { _start.IsDecided: false } => MonotonicClock.Never,
            { _status: null, _cause: StopCause.None } => IdleUntil,
            { _status: null } => MonotonicClock.Never,
            { _descendants.IsBusy: true } => _descendants.NextLook,
            _ => Math.Min(_deliveryLimit.Until, _streams.AreOpen ? _drainUntil : MonotonicClock.Never),
        };
        long limits = Math.Min(Math.Min(KillAt, _timeoutAt), _againAt);
        _child.SetDeadline(Math.Min(limits, Math.Min(_streams.Deadline, next)));
    }

    private void End()
    {
        ProcessResult result = new()
        {
            Command = Command,
            ProcessId = ProcessId,
            StoppedBy = _cause,
            Status = _status!.Value,
            StandardOutput = _streams.CapturedOutput,
            StandardError = _streams.CapturedError,
            DeliveryFailure = _shortage is null ? _streams.Failure : Shortage(_shortage),
            StartTime = _start.Time,
            RunTime = MonotonicClock.Between(_start.Instant, _exitedAt),
            StartAttempts = _start.Attempts,
            SurvivingDescendants = _descendants?.Survivors ?? [],
        };

        // Nothing from here on takes memory: there is no second try.
        result.Use = _child.Release();
        TellLaterUnless(Completion.TrySet(result));
    }

    private void TellLaterUnless(bool areTold)
    {
        if (!areTold)
        {
            _engine.OwedEnds.Add(Completion);
        }
    }
}
