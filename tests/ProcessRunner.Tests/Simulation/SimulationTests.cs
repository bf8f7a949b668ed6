using System;
using System.Diagnostics;
using ProcessRunner.Execution;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// The library above its backends, in virtual time and in one order of events after another. A schedule that fails is
/// printed, and <c>SIMULATION_SEED</c> plays it again.
/// </summary>
public sealed class SimulationTests
{
    private const int Schedules = 20_000;

    [Fact]
    public void Runs_InEveryOrderOfEvents_KeepWhatTheyPromise() =>
        Guard.Run(() => Simulator.Play(Schedules, RunSchedule.Play));

    // The streams of a child that is being started are not open yet, which is not the same as closed.
    [Fact]
    public void Limit_ThatPassesDuringTheStart_LeavesTheStreamsOpen() => Guard.Run(() => Simulator.Play(50, world =>
    {
        SimulatedEngine engine = new(world);
        long takes = Stopwatch.Frequency / 10;
        Script script = Script.Of(1, takes, new Step(Deed.Write, 1000), new Step(Deed.Exit));
        engine.Backend.Install("slow", () => script);
        int received = 0;
        ProcessCommand command = new("slow")
        {
            StandardOutput = OutputTarget.ToBytes(bytes => received += bytes.Length),
            Timeout = TimeSpan.FromMilliseconds(50),
        };
        ChildLife life = ChildLife.Create(new StartOrder(command), engine.Parts);
        life.StartAsync();
        World.Require(world.RunUntil(() => life.HasEnded), "The run ends.");
        World.Require(received == 1000, $"Its receiver has got everything by then: {received} of 1000 bytes.");
        engine.Settle();
        engine.Dispose();
    }));
}
