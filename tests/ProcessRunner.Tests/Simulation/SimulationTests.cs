using System;
using System.Diagnostics;
using FluentAssertions;
using ProcessRunner.Execution;
using ProcessRunner.Execution.Batches;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// The library above its backends, in virtual time and in one order of events after another. A schedule that fails is
/// printed, and <c>SIMULATION_SEED</c> plays it again.
/// </summary>
public sealed class SimulationTests
{
    private const int Runs = 100_000;
    private const int Batches = 50_000;

    [Fact]
    public void Runs_InEveryOrderOfEvents_KeepWhatTheyPromise() =>
        Guard.Run(() => Simulator.Play(Simulator.CountOr(Runs), RunPlay.Play));

    [Fact]
    public void Batches_InEveryOrderOfEvents_KeepWhatTheyPromise() =>
        Guard.Run(() => Simulator.Play(Simulator.CountOr(Batches), BatchPlay.Play));

    // The timer of a batch would come back at once, and again and again, until a child ends.
    [Fact]
    public void Retry_ThatIsDueWhileNoChildMayStart_LeavesTheTimerAlone() => Guard.Run(() => Simulator.Play(1, world =>
    {
        BatchOptions options = new() { MaxConcurrency = 2 };
        BatchState state = new(options, new ResultQueue(() => { }));
        SimulatedBackend backend = new(world) { Room = 1 };
        state.Begin(new StartGates(backend, options), world.Now);
        state.Add(Entry("busy"));
        state.Add(Entry("long"));
        state.OnShortage(state.TakeNext(world.Now, out _)!, isBusy: true);
        state.TakeNext(world.Now, out _).Should().NotBeNull();

        long later = world.Now + Stopwatch.Frequency;
        state.TakeNext(later, out long askAgainAt).Should().BeNull("there is room for one child");
        askAgainAt.Should().BeGreaterThan(later);
    }));

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

    private static BatchEntry Entry(string program) =>
        new(batch: null!, new BatchItem(new ProcessCommand(program)), new BatchRetry(), index: 0, repetition: 0);
}
