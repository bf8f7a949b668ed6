using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Represents a process that follows its script: a child or a descendant of one.</summary>
internal sealed class SimulatedProcess
{
    private readonly World _world;
    private readonly List<SimulatedProcess> _family;
    private readonly Happening _wake;
    private Happening? _death;
    private int _index;
    private long _done;

    /// <summary>Creates a process, which holds its pipes from now on.</summary>
    /// <param name="world">The world of the process.</param>
    /// <param name="id">The process id.</param>
    /// <param name="script">What the process does.</param>
    /// <param name="family">All processes that descend from one child, and that child as the first.</param>
    /// <param name="parent">The process that forked it, or null for the child itself.</param>
    public SimulatedProcess(
        World world, int id, Script script, List<SimulatedProcess> family, SimulatedProcess? parent = null)
    {
        _world = world;
        _family = family;
        Id = id;
        Script = script;
        IsLeader = parent is null;
        IsInGroup = parent is null || (parent.IsInGroup && !script.LeavesGroup);
        IsHidden = parent is not null && (parent.IsHidden || (script.IsHidden && !IsInGroup));
        _wake = new Happening(this, "goes on", GoOn);
        family.Add(this);
        Wake();
    }

    public int Id { get; }

    public Script Script { get; }

    public bool IsLeader { get; }

    public bool IsInGroup { get; }

    /// <summary>Gets whether no survey can find the process.</summary>
    public bool IsHidden { get; }

    public SimulatedPipe? Input { get; set; }

    public SimulatedPipe? Output { get; set; }

    public SimulatedPipe? Error { get; set; }

    /// <summary>Gets how the process ended, or null.</summary>
    public ExitStatus? Status { get; private set; }

    public bool IsAlive => Status is null;

    /// <summary>Gets the instant of the first signal other than SIGKILL that reached the process, or never.</summary>
    public long AskedAt { get; private set; } = MonotonicClock.Never;

    /// <summary>Gets the instant of the end, or never.</summary>
    public long DiedAt { get; private set; } = MonotonicClock.Never;

    /// <summary>Gets the instant of the first SIGKILL that reached the process, or never.</summary>
    public long KilledAt { get; private set; } = MonotonicClock.Never;

    /// <summary>Gets what tells of the end of the process, or null.</summary>
    public Action? Died { private get; set; }

    /// <summary>Gets the step that the process is at.</summary>
    public Step Current => Script.Steps[_index];

    /// <summary>Lets the process go on.</summary>
    public void Wake()
    {
        if (IsAlive)
        {
            _world.Arm(_wake, _world.Now);
        }
    }

    /// <summary>Sends the process a signal other than SIGKILL.</summary>
    public void Signal(PosixSignal signal)
    {
        if (IsAlive)
        {
            _world.Log($"{this}: gets {signal}");
            AskedAt = Math.Min(AskedAt, _world.Now);
            if (!Script.IgnoresSignals)
            {
                DieAfter(Script.CleanUpTakes, Script.ExitsOnSignal ? ExitStatus.Exited(0) : Killed(15));
            }
        }
    }

    /// <summary>Sends the process SIGKILL.</summary>
    public void Kill()
    {
        if (IsAlive)
        {
            _world.Log($"{this}: gets SIGKILL");
            KilledAt = Math.Min(KilledAt, _world.Now);
            DieAfter(Script.KillTakes, Killed(9));
        }
    }

    /// <summary>Ends the process at the end of the schedule.</summary>
    public void Vanish()
    {
        if (IsAlive)
        {
            Die(Killed(9));
        }
    }

    public override string ToString() => IsLeader ? $"child {Id}" : $"descendant {Id} of child {_family[0].Id}";

    private static ExitStatus Killed(int number) => ExitStatus.Signaled(
        number == 15 ? PosixSignal.SIGTERM : (PosixSignal)number, number, coreDumped: false);

    private void DieAfter(long ticks, ExitStatus status)
    {
        if (ticks == 0)
        {
            Die(status);
        }
        else if (_death is null || _death.Due > _world.Now + ticks)
        {
            if (_death is not null)
            {
                _world.Cancel(_death);
            }

            _death = new Happening(this, "dies", () => Die(status));
            _world.Arm(_death, _world.Now + ticks);
        }
    }

    private void Die(ExitStatus status)
    {
        Status = status;
        DiedAt = _world.Now;
        _world.Cancel(_wake);
        if (_death is not null)
        {
            _world.Cancel(_death);
        }

        CloseInput();
        CloseOutput();
        CloseError();
        Died?.Invoke();
    }

    // One step at a time, so that anything can happen between two of them.
    private void GoOn()
    {
        Step step = Current;
        switch (step.Deed)
        {
            case Deed.Pause:
                Next(step.Amount);
                break;

            case Deed.Write:
                Write(Output, step.Amount);
                break;

            case Deed.WriteError:
                Write(Error, step.Amount);
                break;

            case Deed.Read:
                Read(step.Amount);
                break;

            case Deed.CloseInput:
                CloseInput();
                Next();
                break;

            case Deed.CloseOutput:
                CloseOutput();
                Next();
                break;

            case Deed.CloseError:
                CloseError();
                Next();
                break;

            case Deed.Fork:
                Fork(step.Child!);
                Next();
                break;

            case Deed.Exit:
                Die(ExitStatus.Exited((int)step.Amount));
                break;

            case Deed.Crash:
                Die(Killed((int)step.Amount));
                break;

            case Deed.Hang:
                break;

            default:
                throw new UnreachableException();
        }
    }

    private void Next(long pause = 0)
    {
        _index++;
        _done = 0;
        _world.Arm(_wake, _world.Now + pause);
    }

    private void Write(SimulatedPipe? pipe, long amount)
    {
        if (pipe is { HasReader: false })
        {
            Die(Killed(13));
            return;
        }

        _done += pipe?.Write((int)(amount - _done)) ?? amount;
        if (_done == amount)
        {
            Next();
        }
        else
        {
            pipe!.Await(this);
        }
    }

    private void Read(long amount)
    {
        int count = (int)Math.Min(Input?.Unread ?? 0, amount - _done);
        Input?.Skip(count);
        _done += count;
        if (_done == amount || Input is null or { Unread: 0, Writers: 0 })
        {
            Next();
        }
        else
        {
            Input.Await(this);
        }
    }

    private void Fork(Script script)
    {
        SimulatedProcess child = new(_world, _family[0].Id + (1000 * _family.Count), script, _family, this);
        if (script.HoldsOutput && Output is not null)
        {
            child.Output = Output;
            Output.AddWriter();
        }

        if (script.HoldsError && Error is not null)
        {
            child.Error = Error;
            Error.AddWriter();
        }
    }

    private void CloseInput()
    {
        Input?.CloseReader();
        Input = null;
    }

    private void CloseOutput()
    {
        Output?.RemoveWriter();
        Output = null;
    }

    private void CloseError()
    {
        Error?.RemoveWriter();
        Error = null;
    }
}
