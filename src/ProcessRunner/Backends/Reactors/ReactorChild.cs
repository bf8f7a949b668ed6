using System;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Reactors;

/// <summary>
/// Represents a child that a reactor serves: its registration, its deadlines, and what every event has in common. The
/// child's gate guards all of it.
/// </summary>
internal abstract class ReactorChild<TReactor>(TReactor reactor) : BackendChild
    where TReactor : Reactor
{
    // The pause before an operation is repeated for which the system lacked something.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(20);

    private IChildEvents? _events;
    private ChildStreams? _streams;
    private ExitStatus? _exit;
    private long _deadline = MonotonicClock.Never;
    private long _lookAt = MonotonicClock.Never;
    private bool _isExitTold;
    private bool _isRegistered;

    /// <summary>Gets the receiver of the child's events, from <see cref="Watch"/> on.</summary>
    public IChildEvents Events => _events!;

    /// <summary>Gets the reactor that serves the child.</summary>
    protected TReactor Reactor { get; } = reactor;

    /// <summary>Gets the token of the child at its reactor.</summary>
    protected ulong Token { get; private set; }

    /// <summary>Gets the source of the standard input, from <see cref="Watch"/> on.</summary>
    protected InputFeed InputFeed => _streams!.Input;

    /// <summary>Gets the receiver of the standard output, from <see cref="Watch"/> on.</summary>
    protected OutputSink OutputSink => _streams!.Output;

    /// <summary>Gets the receiver of the standard error, from <see cref="Watch"/> on.</summary>
    protected OutputSink ErrorSink => _streams!.Error;

    /// <summary>Returns the receiver of a channel.</summary>
    protected OutputSink ChannelSink(int number) => _streams!.Channel(number);

    /// <summary>Gets whether the exit has been handled.</summary>
    protected bool IsExitKnown => _exit is not null;

    /// <summary>Gets whether the child has been released.</summary>
    protected bool IsReleased { get; private set; }

    public override void Watch(IChildEvents events, ChildStreams streams)
    {
        _events = events;
        _streams = streams;
        Token = Reactor.Register(this);
        _isRegistered = true;
    }

    public sealed override void SetDeadline(long instant)
    {
        AssertGate();
        _deadline = instant;
        instant = Math.Min(instant, _lookAt);
        if (instant != Deadline && !IsReleased)
        {
            Reactor.SetDeadline(this, instant);
        }
    }

    public sealed override ResourceUse Release()
    {
        AssertGate();
        if (!IsExitKnown)
        {
            Kill();
        }

        IsReleased = true;
        if (_isRegistered)
        {
            Reactor.Unregister(this, Token);
        }

        CloseInput(_streams?.Input);
        return Close();
    }

    /// <summary>Handles a deadline that has passed. Called on the reactor's thread.</summary>
    public void OnDeadline() => TryHandle(this, static child => child.HandleDeadline(MonotonicClock.Now));

    /// <summary>Handles an event. A shortage of memory meanwhile belongs to the child.</summary>
    /// <param name="state">The argument of the handler.</param>
    /// <param name="handler">The handler, called with the gate held.</param>
    /// <returns>False if the child had been released; the handler is not called.</returns>
    protected bool TryHandle<TState>(TState state, Action<TState> handler)
    {
        bool isReleasedNow;
        lock (Gate)
        {
            if (IsReleased)
            {
                return false;
            }

            HandleInGate(state, handler);
            isReleasedNow = IsReleased;
        }

        if (isReleasedNow)
        {
            Events.OnReleased();
        }

        return true;
    }

    /// <summary>Handles an event that does not release the child. Requires the gate.</summary>
    protected void HandleInGate<TState>(TState state, Action<TState> handler)
    {
        try
        {
            handler(state);
        }
        catch (OutOfMemoryException exception)
        {
            // After the release there is nothing left to do.
            if (!IsReleased)
            {
                Events.OnOutOfMemory(exception);
            }
        }
    }

    /// <summary>Handles the exit of the child. Requires the gate.</summary>
    protected void OnExit(ExitStatus status)
    {
        _exit = status;
        CloseInput(_streams?.Input);
        TellExit();
    }

    /// <summary>Calls <see cref="Look"/> as soon as the reactor comes to it.</summary>
    protected void LookNow() => LookAt(MonotonicClock.Now);

    /// <summary>Calls <see cref="Look"/> after a pause, unless everything is under way.</summary>
    protected void LookLaterUnless(bool isUnderWay)
    {
        if (!isUnderWay && _lookAt == MonotonicClock.Never)
        {
            LookAt(MonotonicClock.In(s_pause));
        }
    }

    /// <summary>Repeats what the system could not do before.</summary>
    protected abstract void Look();

    /// <summary>Closes the standard input, if it is open.</summary>
    protected abstract void CloseInput(InputFeed? feed);

    /// <summary>Reaps the child and closes everything but the input.</summary>
    protected abstract ResourceUse Close();

    private void LookAt(long instant)
    {
        _lookAt = instant;
        SetDeadline(_deadline);
    }

    private void HandleDeadline(long now)
    {
        TellExit();
        if (now >= _lookAt && !IsReleased)
        {
            _lookAt = MonotonicClock.Never;
            Look();
        }

        if (!IsReleased)
        {
            Events.OnDeadline(now);
        }
    }

    // Reports the exit once. If memory was short before, the deadline reports it.
    private void TellExit()
    {
        if (_exit is ExitStatus status && !_isExitTold)
        {
            _isExitTold = true;
            Events.OnExit(status);
        }
    }
}
