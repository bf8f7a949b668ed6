using System;
using System.Collections.Generic;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Reactors;

/// <summary>
/// Represents the actions of a reactor that wait until it has nothing else to do, and at most a millisecond. Each runs
/// once, however often it was queued before.
/// </summary>
/// <remarks>
/// The list is the lock, the innermost one, and guards the instant as well. Only the reactor's threads touch it: a
/// replaced thread may still queue an action while its successor runs them. They run with no lock held.
/// </remarks>
internal sealed class IdleActions
{
    private static readonly TimeSpan s_longestDelay = TimeSpan.FromMilliseconds(1);

    private readonly List<Action> _actions = [];
    private long _dueAt;

    /// <summary>Gets whether there are actions to run before the reactor's thread sleeps.</summary>
    public bool Any => _actions.Count > 0;

    /// <summary>Queues an action that runs once the reactor has nothing else to do.</summary>
    public void Add(Action action)
    {
        using (Uninterruptible.Lock(_actions))
        {
            if (_actions.Count == 0)
            {
                _dueAt = MonotonicClock.In(s_longestDelay);
            }

            if (!_actions.Contains(action))
            {
                _actions.Add(action);
            }
        }
    }

    /// <summary>Runs the queued actions. Only the reactor's thread calls this.</summary>
    /// <param name="isIdle">
    /// Whether the reactor has nothing else to do; otherwise the actions run only if they are due.
    /// </param>
    public void Run(bool isIdle)
    {
        int count;
        lock (_actions)
        {
            count = isIdle || MonotonicClock.Now >= _dueAt ? _actions.Count : 0;
        }

        for (; count > 0; count--)
        {
            RunFirst();
        }
    }

    private void RunFirst()
    {
        Action action;
        lock (_actions)
        {
            action = _actions[0];
            _actions.RemoveAt(0);
        }

        try
        {
            action();
        }
        catch (OutOfMemoryException)
        {
            Add(action);
        }
    }
}
