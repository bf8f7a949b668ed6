using System;
using ProcessRunner.Execution;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Represents an engine over a simulated backend, and checks that nothing is left of its runs.</summary>
internal sealed class SimulatedEngine : IDisposable
{
    private static readonly ProcessEngineOptions s_options = new() { KillChildrenOnSignal = false };

    private readonly World _world;
    private readonly SimulatedThreads _threads;

    public SimulatedEngine(World world)
    {
        _world = world;
        Backend = new SimulatedBackend(world);
        _threads = new SimulatedThreads(world);
        ProcessEngineOptions options = s_options with
        {
            CaptureBudget = world.Dice.OneOf(0, 100_000, 10_000_000, 10_000_000),
        };
        Engine = new ProcessEngine(options, Backend, _ => _threads);
        Parts = Engine.Parts(first: null);
    }

    public SimulatedBackend Backend { get; }

    public ProcessEngine Engine { get; }

    public EngineParts Parts { get; }

    /// <summary>Ends the engine as its disposal does, without waiting for the children.</summary>
    public void End()
    {
        Parts.Lives.Close();
        ChildLife[] lives = Array.FindAll(Parts.Lives.ToArray(), life => !life.IsExemptFromExitKill);
        Array.ForEach(lives, life => life.Stop(StopCause.EngineDispose, TimeSpan.Zero));
    }

    /// <summary>Lets everything end that is left once the runs have ended.</summary>
    public void Settle()
    {
        foreach (SimulatedChild child in Backend.Children)
        {
            World.Require(child.IsReleased, $"Every child is released: {child} is not.");
            child.Family.ForEach(process => process.Vanish());
        }

        _world.RunUntil(() => false);
        World.Require(Parts.Lives.Count == 0, "No child is left.");
        World.Require(_threads.Waiting == 0, "No job is left.");
    }

    /// <summary>
    /// Checks that the captures, which have been released, have returned their memory and files, and disposes the
    /// engine.
    /// </summary>
    public void Dispose()
    {
        long used = Parts.Streams.Segments.Budget.Used;
        World.Require(used == 0, $"Released captures return their budget: {used} bytes are left.");
        World.Require(Backend.Files == 0, $"Released captures remove their files: {Backend.Files} are left.");
        DisposeUnread();
    }

    /// <summary>Disposes the engine, even if its user has not read every result.</summary>
    public void DisposeUnread() => Engine.Dispose();
}
