using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// Represents one schedule: its clock, and the events that may come next. Chooses each next event by its dice, on one
/// thread.
/// </summary>
/// <remarks>
/// Code that takes its time, as a start or a callback of the user, lets other events come in the middle
/// (<see cref="Interleave"/>): in the real world they would come on other threads.
/// </remarks>
internal sealed class World
{
    private const int MostSteps = 100_000;
    private const int DeepestNesting = 3;

    [ThreadStatic]
    private static World? s_current;

    private readonly List<Happening> _armed = [];
    private readonly List<string>? _log;
    private readonly WorldContext _context;
    private int _nesting;

    /// <summary>Creates a world, which becomes that of this thread.</summary>
    /// <param name="seed">The seed of all choices.</param>
    /// <param name="log">Receives a line for each event, or null.</param>
    public World(ulong seed, List<string>? log)
    {
        Dice = new Dice(seed);
        _log = log;
        s_current = this;
        _context = new WorldContext(this);
    }

    /// <summary>Gets the world of this thread, or null outside a simulation.</summary>
    public static World? Current => s_current;

    public Dice Dice { get; }

    /// <summary>Gets the current instant.</summary>
    public long Now { get; private set; } = 1000 * Stopwatch.Frequency;

    /// <summary>Gets the time by which events that were due have been late so far.</summary>
    public long Lateness { get; private set; }

    /// <summary>
    /// Gets the first invariant that did not hold, even if the library caught its exception; otherwise null.
    /// </summary>
    public BrokenInvariantException? Failure { get; private set; }

    /// <summary>Gets the number of events so far.</summary>
    public int Steps { get; private set; }

    /// <summary>Gets whether the current event is handled by a reactor's thread.</summary>
    public bool IsOnReactor { get; private set; }

    /// <summary>Ends the schedule: this thread has the real surroundings again.</summary>
    public static void Leave() => s_current = null;

    /// <summary>Returns an instant as the log shows it.</summary>
    public static string Show(long instant) =>
        instant == MonotonicClock.Never ? "never" : $"{(instant * 1000.0 / Stopwatch.Frequency) - 1_000_000:F3} ms";

    /// <summary>Fails the schedule unless an invariant holds.</summary>
    public static void Require(bool holds, string invariant)
    {
        if (!holds)
        {
            throw s_current!.Failure ??= new BrokenInvariantException(invariant);
        }
    }

    /// <inheritdoc cref="Require(bool, string)"/>
    public static void Require(bool holds, [InterpolatedStringHandlerArgument("holds")] ref InvariantText invariant)
    {
        if (!holds)
        {
            Require(holds, invariant.ToString());
        }
    }

    /// <summary>Lets an event come at an instant or later, instead of the instant it had before.</summary>
    public void Arm(Happening happening, long due)
    {
        if (due == MonotonicClock.Never)
        {
            Cancel(happening);
            return;
        }

        happening.Due = due;
        if (happening.Index < 0)
        {
            happening.Index = _armed.Count;
            _armed.Add(happening);
        }
    }

    /// <summary>Takes back an event that has not come yet.</summary>
    public void Cancel(Happening happening)
    {
        if (happening.Index >= 0)
        {
            Happening last = _armed[^1];
            _armed[happening.Index] = last;
            last.Index = happening.Index;
            _armed.RemoveAt(_armed.Count - 1);
            happening.Index = -1;
        }
    }

    /// <summary>Lets everything happen until a condition holds or nothing is left to happen.</summary>
    /// <returns>Whether the condition holds.</returns>
    public bool RunUntil(Func<bool> condition)
    {
        bool holds;
        while (!(holds = condition()) && Step(MonotonicClock.Never))
        {
        }

        return holds;
    }

    /// <summary>Lets other events come in the middle of one that takes its time.</summary>
    /// <param name="most">The greatest number of those events.</param>
    public void Interleave(int most)
    {
        if (_nesting < DeepestNesting)
        {
            long began = Now;
            long latest = Now + (Dice.Below(4) == 0 ? Dice.Ticks() / 20 : 0);
            Nest(() =>
            {
                for (int left = Dice.Below(most + 1); left > 0 && Step(latest); left--)
                {
                }
            });
            Lateness += Now - began;
        }
    }

    /// <summary>Lets time pass, and other events come, in the middle of one that takes so long.</summary>
    public void Wait(long until, Func<bool> isOver)
    {
        long began = Now;
        bool hasPassed = false;
        Happening alarm = new("world", "end of a wait", () => hasPassed = true);
        Arm(alarm, until);
        Nest(() => RunUntil(() => hasPassed || isOver()));
        Cancel(alarm);
        Lateness += Now - began;
    }

    /// <summary>
    /// Gets whether the current event may take its time. Not in the middle of another: that one would be late as well.
    /// </summary>
    public bool MayWait => _nesting == 0;

    /// <summary>Writes a line to the log.</summary>
    public void Log(string line) => _log?.Add($"{Show(Now),14} {new string(' ', 2 * _nesting)}{line}");

    private void Nest(Action action)
    {
        bool wasOnReactor = IsOnReactor;
        _nesting++;
        action();
        _nesting--;
        IsOnReactor = wasOnReactor;
    }

    // Returns false if nothing is left to happen until then.
    private bool Step(long latest)
    {
        if (Failure is not null)
        {
            throw Failure;
        }

        if (Choose(latest) is not Happening next)
        {
            return false;
        }

        Require(++Steps <= MostSteps, $"The schedule ends: there have been {MostSteps} events.");
        Cancel(next);
        if (_log is not null)
        {
            Log(next.ToString());
        }

        bool wasOnReactor = IsOnReactor;
        IsOnReactor = next.IsOnReactor;
        SynchronizationContext.SetSynchronizationContext(IsOnReactor ? null : _context);
        next.Action();
        IsOnReactor = wasOnReactor;
        return true;
    }

    private Happening? Choose(long latest)
    {
        int due = CountDue(out long next);
        if (due == 0)
        {
            if (next > latest || next == MonotonicClock.Never)
            {
                return null;
            }

            Now = next;
            due = CountDue(out _);
        }
        else if (next != MonotonicClock.Never && Dice.Below(40) == 0)
        {
            // Every thread may be slow for a moment, and deadlines pass meanwhile.
            long late = Math.Min(next - Now, Dice.Ticks());
            Now += late;
            Lateness += late;
            due = CountDue(out _);
        }

        int chosen = Dice.Below(due);
        foreach (Happening happening in _armed)
        {
            if (happening.Due <= Now && chosen-- == 0)
            {
                return happening;
            }
        }

        throw new UnreachableException();
    }

    private int CountDue(out long next)
    {
        int due = 0;
        next = MonotonicClock.Never;
        foreach (Happening happening in _armed)
        {
            if (happening.Due <= Now)
            {
                due++;
            }
            else
            {
                next = Math.Min(next, happening.Due);
            }
        }

        return due;
    }
}
