using System;
using System.Collections.Immutable;
using System.Runtime.ExceptionServices;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Stops one child: holds the stop back for the user's call before it, asks the child to end by one signal or several,
/// then kills it after a grace period. Guarded by the child's gate.
/// </summary>
/// <remarks>
/// A child whose start is under way discards all signals before its program runs. It is therefore asked once it has
/// started. If that takes too long, the start hangs and the child is killed: it has done nothing yet that deserves a
/// grace period.
/// </remarks>
internal sealed class StopLadder(BackendChild child, ProcessCommand command)
{
    private static readonly TimeSpan s_startPatience = TimeSpan.FromSeconds(1);

    // The pause between two kills of a child whose start is under way: the first may have come before the process
    // existed.
    private static readonly TimeSpan s_startPause = TimeSpan.FromMilliseconds(10);

    private readonly ImmutableArray<StopStep> _furtherStops = command.FurtherStops;
    private long _killAt = MonotonicClock.Never;
    private long _startKillAt = MonotonicClock.Never;
    private int _nextStop;
    private bool _hasBegun;
    private bool _isAsked;
    private bool _isKilled;

    /// <summary>Gets the instant at which the kill is due.</summary>
    public long KillAt => Math.Min(_killAt, _startKillAt);

    /// <summary>Gets the instant at which the next signal is due.</summary>
    public long StepAt { get; private set; } = MonotonicClock.Never;

    /// <summary>
    /// Gets the instant until which the stop is held back; <see cref="MonotonicClock.Never"/> if it is not.
    /// </summary>
    public long HeldUntil { get; private set; } = MonotonicClock.Never;

    /// <summary>Gets whether the stop is held back.</summary>
    public bool IsHeld { get; private set; }

    /// <summary>Gets whether the stop was held back before.</summary>
    public bool HasBeenHeld { get; private set; }

    /// <summary>Gets the grace of the stop that is held back.</summary>
    public TimeSpan HeldGrace { get; private set; }

    /// <summary>Gets the context in which the call before the stop runs, or null for the default context.</summary>
    public ExecutionContext? Context { get; init; }

    /// <summary>Gets or sets the exception of that call, or null.</summary>
    public ExceptionDispatchInfo? Failure { get; set; }

    /// <summary>Holds the stop back. A further stop can only shorten its grace.</summary>
    /// <param name="until">The instant at which it is held back no longer.</param>
    /// <param name="grace">The grace of the stop.</param>
    public void Hold(long until, TimeSpan grace)
    {
        bool isShorter = MonotonicClock.After(0, grace) < MonotonicClock.After(0, HeldGrace);
        HeldGrace = !IsHeld || isShorter ? grace : HeldGrace;
        HeldUntil = Math.Min(HeldUntil, until);
        IsHeld = HasBeenHeld = true;
    }

    /// <summary>Lets the stop begin.</summary>
    public void EndHold()
    {
        IsHeld = false;
        HeldUntil = MonotonicClock.Never;
    }

    /// <summary>Asks the child to end, once. A second call can only bring the kill forward.</summary>
    /// <param name="now">The current instant.</param>
    /// <param name="grace">The time until the kill.</param>
    /// <param name="isStarting">Whether the start is still under way.</param>
    public void Begin(long now, TimeSpan grace, bool isStarting)
    {
        _hasBegun = true;
        _killAt = Math.Min(_killAt, MonotonicClock.After(now, grace));
        if (isStarting)
        {
            _startKillAt = Math.Min(_startKillAt, MonotonicClock.After(now, s_startPatience));
        }
        else
        {
            Ask(now);
        }
    }

    /// <summary>Sends the next signal, which is due.</summary>
    /// <returns>The step.</returns>
    public StopStep Step(long now)
    {
        StopStep step = _furtherStops[_nextStop++];
        child.RequestStop(step.Signal);
        SetNextStep(now, step.Grace);
        return step;
    }

    /// <summary>Kills the child.</summary>
    /// <param name="now">The current instant.</param>
    /// <param name="isStarting">Whether the start is still under way. In this case the kill is repeated.</param>
    public void Kill(long now, bool isStarting)
    {
        child.Kill();
        _hasBegun = true;
        _killAt = StepAt = MonotonicClock.Never;
        _startKillAt = isStarting ? MonotonicClock.After(now, s_startPause) : MonotonicClock.Never;
        _isKilled = true;
    }

    /// <summary>Handles the end of a start that was under way during the stop.</summary>
    /// <returns>True if the child is to be killed now.</returns>
    public bool OnStarted()
    {
        _startKillAt = MonotonicClock.Never;
        if (_hasBegun && !_isKilled)
        {
            Ask(MonotonicClock.Now);
        }

        return _isKilled;
    }

    /// <summary>Ends the ladder: no process is left to kill.</summary>
    public void End() => _killAt = _startKillAt = StepAt = MonotonicClock.Never;

    private void Ask(long now)
    {
        if (!_isAsked)
        {
            _isAsked = command.Extras.ClosesWindowsOnStop
                ? child.CloseWindows(command.StopSignal)
                : child.RequestStop(command.StopSignal);
            SetNextStep(now, command.StopGrace);
        }
    }

    private void SetNextStep(long now, TimeSpan grace) =>
        StepAt = _nextStop < _furtherStops.Length ? MonotonicClock.After(now, grace) : MonotonicClock.Never;
}
