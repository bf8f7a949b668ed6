using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Streams.Input;

namespace ProcessRunner.Execution;

/// <summary>
/// The life of one child from its start to its result: decides when it is stopped, how long its pipes are drained
/// after its exit, what becomes of its descendants, and what its outcome is.
/// </summary>
/// <remarks>
/// <para>States: running; exited (the status is known, the child is a zombie that keeps its id and its group's taken,
/// while descendants are settled and the pipes drained); ended (released and completed). It only moves forward. A stop
/// can begin in either of the first two; the first cause stays, and counts if the child had not exited.</para>
/// <para>Everything mutable is guarded by the child's gate, <c>lock (_child)</c>. The backend's events come with the
/// gate held; <see cref="Stop"/> and <see cref="Signal"/> take it from any thread. Whatever ends the child happens on
/// the thread that serves it, which is the reactor's, the waiting one or, for a child that is no more, the starter's: others
/// set a deadline of now and so hand over to the reactor.</para>
/// <para>The completion is a task, although nobody awaits it inside the library, for the sake of
/// <see cref="BlockingWait"/>; its continuations never run on the reactor's thread. The result itself may be read without
/// the gate.</para>
/// </remarks>
internal sealed class ChildLife : IChildEvents, IOutputLimit
{
    // Once everybody that can be found is dead, only somebody who cannot be found holds a pipe.
    private static readonly TimeSpan s_drainAfterKill = TimeSpan.FromMilliseconds(100);

    private static readonly TimeSpan s_deliveryAfterStop = TimeSpan.FromSeconds(1);

    private readonly BackendChild _child;
    private readonly IRunObserver? _observer;
    private readonly int _startAttempts;
    private readonly RunStreams _streams;
    private readonly DateTimeOffset _startTime;
    private readonly long _startedAt;

    private TaskCompletionSource<ProcessResult>? _completion;
    private DescendantSettler? _descendants;
    private ProcessResult? _result;
    private bool _hasFailedToStart;
    private StopCause _cause;
    private StopCause _deliveryLimitedBy;
    private ExitStatus? _status;
    private long _exitedAt;
    private long _lastOutputAt;
    private long _timeoutAt;
    private long _killAt = MonotonicClock.Never;
    private long _drainUntil = MonotonicClock.Never;
    private long _deliverUntil = MonotonicClock.Never;

    private ChildLife(StartOrder order, EngineParts engine, BackendChild child, DateTimeOffset time, long instant)
    {
        Command = order.Command;
        _child = child;
        _observer = order.Observer;
        _startAttempts = order.Attempt;
        _startTime = time;
        _startedAt = instant;
        _streams = new RunStreams(Command, _child, engine.Streams, this);
        _lastOutputAt = _startedAt;
        _timeoutAt = MonotonicClock.After(_startedAt, Command.Timeout);
    }

    /// <summary>What runs.</summary>
    public ProcessCommand Command { get; }

    /// <summary>The process id of the child.</summary>
    public int ProcessId => _child.ProcessId;

    /// <summary>Whether the child is gone and released.</summary>
    public bool HasEnded => Result is not null;

    /// <summary>The result, once it <see cref="HasEnded"/>.</summary>
    public ProcessResult? Result => Volatile.Read(ref _result);

    /// <summary>Whether it had ended before <see cref="Start"/> returned; then no observer is told of it.</summary>
    public bool HasEndedAtStart { get; private set; }

    /// <summary>
    /// Completes with the result once the child is gone and released. It is cancelled only if <see cref="Start"/> throws.
    /// Made for the first who asks: most of the children of a batch are waited for by nobody.
    /// </summary>
    public Task<ProcessResult> Completion
    {
        get
        {
            lock (_child)
            {
                if (_completion is null)
                {
                    _completion = new TaskCompletionSource<ProcessResult>(TaskCreationOptions.RunContinuationsAsynchronously);
                    Complete();
                }

                return _completion.Task;
            }
        }
    }

    /// <summary>The live lines, or null if no stream goes there.</summary>
    public LineChannel? Lines => _streams.Lines;

    /// <summary>The standard input, if it is written by hand.</summary>
    public ChildInputStream? HandWrittenInput => _streams.HandWritten;

    /// <summary>Starts a child on the calling thread and has it watched.</summary>
    /// <exception cref="ProcessStartException">It could not be started; nothing is left of it.</exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    public static ChildLife Start(StartOrder order, EngineParts engine)
    {
        DateTimeOffset time = DateTimeOffset.UtcNow;
        long instant = MonotonicClock.Now;
        BackendChild child = engine.Backend.Spawn(order.Command, order.Environment, order.Slot);
        ChildLife? life = null;
        lock (child)
        {
            try
            {
                life = new ChildLife(order, engine, child, time, instant);
                child.Watch(life, life._streams);
                life._streams.Start();
                life.SetDeadline();
                child.Begin();
                life.HasEndedAtStart = life.HasEnded;
                return life;
            }
            catch (Exception exception)
            {
                child.Release();
                life?.OnFailedToStart();
                if (exception is Win32Exception error)
                {
                    throw new ProcessStartException(
                        order.Command, error.NativeErrorCode, ProcessStartStep.OutOfResources, "the kernel cannot watch it");
                }

                throw;
            }
        }
    }

    /// <summary>
    /// Begins to stop the child's group: the command's stop signal, then SIGKILL after <paramref name="grace"/>. Does
    /// nothing once the run has ended. A second call can only bring SIGKILL forward. Any thread; does not wait.
    /// </summary>
    public void Stop(StopCause cause, TimeSpan grace)
    {
        using (Uninterruptible.Lock(_child))
        {
            if (_result is null)
            {
                BeginStop(cause, grace);
                SetDeadline();
            }
        }
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

    /// <summary>Takes the child out of what is killed when this process ends. Any thread.</summary>
    public void Spare()
    {
        lock (_child)
        {
            if (_result is null)
            {
                _child.Spare();
            }
        }
    }

    /// <summary>
    /// Sends the child's group what a terminal sends at Ctrl-C, unless it is our own, which the terminal has sent it. Any thread.
    /// </summary>
    public void Interrupt()
    {
        lock (_child)
        {
            if (_status is null && _child.LeadsGroup)
            {
                _child.Signal(PosixSignal.SIGINT, SignalScope.Group);
            }
        }
    }

    /// <summary>Waits for the end.</summary>
    /// <exception cref="Exception">What a callback, a stream or an input of the user's threw.</exception>
    public ProcessResult Wait()
    {
        AwaitEnd();
        return _result!.ThrowIfDeliveryFailed();
    }

    /// <summary>Waits for the end, and throws nothing.</summary>
    public void AwaitEnd() => TryWait(Timeout.InfiniteTimeSpan);

    /// <summary>Waits for the end, but not longer than a limit.</summary>
    public bool TryWait(TimeSpan limit)
    {
        // A thread of the pool must block in the way that its pool sees. An observer is told on a reactor's thread only.
        if (!HasEnded && limit == Timeout.InfiniteTimeSpan && _observer is null && !Thread.CurrentThread.IsThreadPoolThread)
        {
            _child.Serve();
        }

        return HasEnded || BlockingWait.For(Completion, limit);
    }

    /// <summary>Waits for the end; cancelling stops the child and throws once it is gone.</summary>
    public async Task<ProcessResult> WaitOrStopAsync(CancellationToken cancellationToken)
    {
        ProcessResult result;
        using (cancellationToken.UnsafeRegister(static state => ((ChildLife)state!).StopForToken(), this))
        {
            result = await Completion.ConfigureAwait(false);
        }

        if (result.StoppedBy == StopCause.CancellationToken && cancellationToken.IsCancellationRequested)
        {
            OperationCanceledException exception = new($"Cancelled: {Command}", cancellationToken);
            exception.Data[typeof(ProcessResult)] = result;
            throw exception;
        }

        return result.ThrowIfDeliveryFailed();
    }

    void IChildEvents.OnOutput()
    {
        bool hasIdleTimeout = Command.IdleTimeout >= TimeSpan.Zero;
        if (hasIdleTimeout)
        {
            _lastOutputAt = MonotonicClock.Now;
        }

        if (hasIdleTimeout || _streams.Deadline != MonotonicClock.Never)
        {
            SetDeadline();
        }
    }

    void IChildEvents.OnEndOfOutput() => Advance(MonotonicClock.Now);

    void IChildEvents.OnExit(ExitStatus status)
    {
        _status = status;
        _exitedAt = MonotonicClock.Now;
        _drainUntil = Math.Min(MonotonicClock.After(_exitedAt, Command.DrainGrace), _timeoutAt);
        if (Command.Descendants == DescendantPolicy.KillAlways)
        {
            Descendants.OnLeaderExit(_exitedAt);
        }

        if (_descendants is not { MustSettle: true })
        {
            _killAt = MonotonicClock.Never;
        }

        // All that the child wrote is in the pipes by now. What keeps them open is somebody else.
        _child.DrainOutput();
        Advance(_exitedAt);
    }

    void IChildEvents.OnDeadline(long now)
    {
        if (now >= _timeoutAt && _status is not null)
        {
            // The child has ended in time. What is left, a held stream or a slow receiver, is not waited for.
            _timeoutAt = MonotonicClock.Never;
            _deliveryLimitedBy = StopCause.Timeout;
        }
        else if (now >= _timeoutAt)
        {
            BeginStop(StopCause.Timeout, Command.StopGrace);
        }
        else if (_status is null && _cause == StopCause.None && now >= IdleUntil)
        {
            OnSilence(now);
        }

        if (now >= _killAt)
        {
            Kill(now);
        }

        _streams.OnDeadline(now);
        Advance(now);
    }

    void IOutputLimit.OnExceeded()
    {
        // Too much is too much, also where it is found in the pipe of a child that has ended.
        if (_cause == StopCause.None)
        {
            _cause = StopCause.OutputLimit;
        }

        BeginStop(StopCause.OutputLimit, Command.StopGrace);
        SetDeadline();
    }

    void IChildEvents.OnReleased() => _observer?.OnEnded(_result!);

    void IChildEvents.OnSurvey(IReadOnlyList<Descendant> descendants)
    {
        Descendants.OnSurvey(descendants);
        _child.SetDeadline(MonotonicClock.Now);
    }

    // Most runs end by themselves and leave nobody behind: they need none.
    private DescendantSettler Descendants => _descendants ??= new DescendantSettler(Command, _child);

    private long IdleUntil => MonotonicClock.After(_lastOutputAt, Command.IdleTimeout);

    // A child whose output has not been read yet is not idle: it may wait for a receiver of ours, or the machine is slow. The
    // limit begins anew, so that silence behind a slow receiver ends as well.
    private void OnSilence(long now)
    {
        if (_child.HasUnreadOutput)
        {
            _lastOutputAt = now;
        }
        else
        {
            BeginStop(StopCause.IdleTimeout, Command.StopGrace);
        }
    }

    private void StopForToken() => Stop(StopCause.CancellationToken, Command.StopGrace);

    private void BeginStop(StopCause cause, TimeSpan grace)
    {
        long now = MonotonicClock.Now;
        if (_status is null && _cause == StopCause.None)
        {
            _cause = cause;
        }

        // The limit of the whole run has done its work, or been overtaken.
        _timeoutAt = MonotonicClock.Never;
        if (_deliveryLimitedBy == StopCause.None)
        {
            _deliveryLimitedBy = cause;
        }

        Descendants.OnStop(now);
        if (_status is not null && !Descendants.MustSettle)
        {
            _drainUntil = now;
        }
        else if (grace == TimeSpan.Zero)
        {
            Kill(now);
        }
        else
        {
            if (_killAt == MonotonicClock.Never)
            {
                _child.Signal(Command.StopSignal, SignalScope.Group);
                _child.Signal(SignalNumber.Continue, SignalScope.Group);
            }

            _killAt = Math.Min(_killAt, MonotonicClock.After(now, grace));
        }
    }

    private void Kill(long now)
    {
        _child.Signal(SignalNumber.Kill, SignalScope.Group);
        Descendants.OnKill(now);
        _killAt = MonotonicClock.Never;
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
        if (!_streams.AreDelivered && _deliveryLimitedBy != StopCause.None)
        {
            _deliverUntil = Math.Min(_deliverUntil, MonotonicClock.After(now, s_deliveryAfterStop));
            if (now >= _deliverUntil)
            {
                // The child may have ended in time: the run has not.
                _streams.Abandon();
                _deliverUntil = MonotonicClock.Never;
                _cause = _cause == StopCause.None ? _deliveryLimitedBy : _cause;
            }
        }

        return _streams.AreDelivered;
    }

    private void SetDeadline()
    {
        long next = this switch
        {
            { _status: not null } => Math.Min(
                Math.Min(_descendants?.NextLook ?? MonotonicClock.Never, _deliverUntil), _streams.AreOpen ? _drainUntil : MonotonicClock.Never),
            { _cause: StopCause.None } => IdleUntil,
            _ => MonotonicClock.Never,
        };
        _child.SetDeadline(Math.Min(Math.Min(_killAt, _timeoutAt), Math.Min(_streams.Deadline, next)));
    }

    private void End()
    {
        ProcessResult result = new()
        {
            Use = _child.Release(),
            Command = Command,
            ProcessId = ProcessId,
            StoppedBy = _cause,
            Status = _status!.Value,
            StandardOutput = _streams.CapturedOutput,
            StandardError = _streams.CapturedError,
            DeliveryFailure = _streams.Failure,
            StartTime = _startTime,
            RunTime = MonotonicClock.Between(_startedAt, _exitedAt),
            StartAttempts = _startAttempts,
            SurvivingDescendants = _descendants?.Survivors ?? [],
        };
        Volatile.Write(ref _result, result);
        Complete();
    }

    private void OnFailedToStart()
    {
        _hasFailedToStart = true;
        Complete();
    }

    private void Complete()
    {
        if (_result is not null)
        {
            _completion?.SetResult(_result);
        }
        else if (_hasFailedToStart)
        {
            _completion?.SetCanceled();
        }
    }
}
