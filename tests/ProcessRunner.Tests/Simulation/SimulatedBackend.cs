using System;
using System.Collections.Generic;
using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Provides children that are scripts in the virtual time of a world.</summary>
internal sealed class SimulatedBackend(World world) : ProcessBackend
{
    private readonly Dictionary<string, Func<Script>> _programs = [];
    private readonly HashSet<SimulatedChild> _live = [];
    private readonly HashSet<Action> _idleActions = [];
    private int _lastId = 100;

    /// <summary>Gets all children that have been watched so far.</summary>
    public List<SimulatedChild> Children { get; } = [];

    /// <summary>Gets the children that have been watched and not been released.</summary>
    public IReadOnlyCollection<SimulatedChild> Live => _live;

    /// <summary>Gets or sets what looks at the children whenever there is another one.</summary>
    public Action? Watched { private get; set; }

    /// <summary>Gets or sets the number of temporary files.</summary>
    public int Files { get; set; }

    /// <summary>Gets the tokens of the last jobserver, or null.</summary>
    public SimulatedTokens? Tokens { get; private set; }

    /// <summary>Gets or sets the room for children that the limits of this process seem to leave.</summary>
    public int Room { get; set; } = int.MaxValue;

    public override LaunchFeatures Features => LaunchFeatures.None;

    public override BackendCapabilities Capabilities => new()
    {
        BindsFiles = true,
        ConnectsChildren = true,
        ChoosesGroups = true,
        FindsDescendants = true,
        StartsOnTimers = true,
    };

    public override int ThreadCount => 1;

    public override long AvailableMemory => world.Dice.Percent(50) ? long.MaxValue : 0;

    /// <summary>Installs a program.</summary>
    /// <param name="fileName">The name of the program.</param>
    /// <param name="next">Makes the script of the next child that runs it.</param>
    public void Install(string fileName, Func<Script> next) => _programs.Add(fileName, next);

    public int NextProcessId() => ++_lastId;

    public void Register(SimulatedChild child)
    {
        _live.Add(child);
        Children.Add(child);
        Watched?.Invoke();
    }

    public void Unregister(SimulatedChild child) => World.Require(_live.Remove(child), "Each child is released once.");

    public override BackendChild Create(ILaunchPlan plan, InheritedEnvironment? inherited, SlotVariable slot) =>
        new SimulatedChild(world, this, plan, _programs[plan.FileName](), slot.Slot);

    public override InheritedEnvironment TakeEnvironment() => new SimulatedEnvironment();

    public override BackendTimer CreateTimer(Action<long> expired) => new SimulatedTimer(world, expired);

    public override bool HoldsUpOthers(long now) => false;

    public override void DoWhenIdle(Action action)
    {
        if (!world.IsOnReactor)
        {
            action();
        }
        else if (_idleActions.Add(action))
        {
            world.Arm(new Happening("reactor", "is idle", () => DoIdleAction(action), isOnReactor: true), world.Now);
        }
    }

    public override int EstimateRoom() => Room;

    public override JobTokens? OpenJobTokens() => Tokens = new SimulatedTokens(world);

    public override PipeConnection CreateConnection() => new SimulatedConnection(new SimulatedPipe(0, 4096));

    public override TemporaryFile CreateTemporaryFile()
    {
        Files++;
        return new SimulatedFile(this, world.Dice.Percent(10) ? world.Dice.Below(100_000) : long.MaxValue);
    }

    public override LaunchException OutOfResources() => new(11, LaunchStep.OutOfResources, "simulated");

    public override HostGuard? HostGuard => null;

    public override HangUpWatch? HangUps => null;

    public override void Dispose() =>
        World.Require(_live.Count == 0, "A backend is disposed once no child is watched.");

    private void DoIdleAction(Action action)
    {
        _idleActions.Remove(action);
        action();
    }

    private sealed class SimulatedEnvironment : InheritedEnvironment;
}
