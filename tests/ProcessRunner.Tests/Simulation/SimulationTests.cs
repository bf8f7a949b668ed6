using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
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

    // Nothing alive can free what is short, however long the user's code judges the end of the other.
    [Fact]
    public void Shortage_BesideACommandThatIsJudgedAlone_IsFollowedByAPause() => Guard.Run(() =>
        Simulator.Play(1, world =>
        {
            BatchOptions options = new() { MaxConcurrency = 2 };
            BatchState state = new(options, new ResultQueue(() => { }));
            state.Begin(new StartGates(new SimulatedBackend(world), options), world.Now);
            state.Add(Entry("judged"));
            state.Add(Entry("short"));
            state.OnJudging(state.TakeNext(world.Now, out _)!);
            BatchEntry entry = state.TakeNext(world.Now, out _)!;
            state.OnShortage(entry, isBusy: false);

            state.TakeNext(world.Now, out long askAgainAt).Should().BeNull();
            askAgainAt.Should().BeGreaterThan(world.Now);
            entry.FailedStarts.Should().Be(1);
        }));

    [Fact]
    public void Command_Starts_WhileUserCodeJudgesTheEndOfTheOnlyOther() => Guard.Run(() => Simulator.Play(50, world =>
    {
        SimulatedEngine engine = new(world);
        engine.Backend.Room = 1;
        // It lives until the other one has been tried once, for which a resource is short.
        Step[] steps = [new(Deed.Pause, Stopwatch.Frequency), new(Deed.Exit, 1)];
        engine.Backend.Install("judged", () => Script.Of(1, 0, steps));
        bool isShort = true;
        engine.Backend.Install("other", () =>
        {
            bool fails = isShort;
            isShort = false;
            return fails ? Script.Unstartable(2, LaunchStep.OutOfResources) : Script.Of(2, 0, new Step(Deed.Exit));
        });
        BatchRetry retry = new()
        {
            Count = 1,
            When = _ =>
            {
                world.Wait(MonotonicClock.Never, () => engine.Backend.Children.Count == 3);
                World.Require(engine.Backend.Children.Count == 3, "The other command is tried again.");
                return false;
            },
        };
        BatchOptions options = new() { Engine = engine.Engine, MaxConcurrency = 2, Retry = retry };
        BatchItem[] items = [new(new ProcessCommand("judged")), new(new ProcessCommand("other"))];
        AsyncBatchResults results = new(new BatchExecution(_ => items, options, CancellationToken.None));
        Task<int>? reader = null;
        world.Arm(new Happening("user", "begins the batch", () => reader = CountAsync(results)), world.Now);
        World.Require(world.RunUntil(() => reader is { IsCompleted: true }), "The batch ends.");
        reader!.GetAwaiter().GetResult().Should().Be(2);
        engine.Settle();
        engine.DisposeUnread();
    }));

    [Fact]
    public void Stop_BeforeTheFirstAttempt_PreventsIt() => Guard.Run(() => Simulator.Play(1, world =>
    {
        SimulatedEngine engine = new(world);
        engine.Backend.Install("never", () => Script.Of(1, 0, new Step(Deed.Exit)));
        ChildLife life = ChildLife.Create(new StartOrder(new ProcessCommand("never")), engine.Parts);
        life.Stop(StopCause.Request);
        FluentActions.Invoking(life.Start).Should().ThrowExactly<OperationCanceledException>();
        life.HasEnded.Should().BeTrue();
        engine.Backend.Children[0].Attempts.Should().Be(0);
        engine.Settle();
        engine.Dispose();
    }));

    // The time of a pipeline counts for stages that have not begun.
    [Fact]
    public void Limit_ThatPassesBeforeTheFirstAttempt_HasAResult() => Guard.Run(() => Simulator.Play(20, world =>
    {
        SimulatedEngine engine = new(world);
        long limit = world.Now;
        engine.Backend.Install("late", () => Script.Of(1, 0, new Step(Deed.Hang)));
        StartOrder order = new(new ProcessCommand("late")) { TimeoutAt = limit, Timeout = TimeSpan.FromSeconds(1) };
        ChildLife life = ChildLife.Create(order, engine.Parts);
        world.RunUntil(() => world.Now > limit);
        life.StartAsync();
        World.Require(world.RunUntil(() => life.HasEnded), "The run ends.");
        life.Completion.Result!.StoppedBy.Should().Be(StopCause.Timeout);
        engine.Settle();
        engine.Dispose();
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

    private static async Task<int> CountAsync(AsyncBatchResults results)
    {
        int count = 0;
        await foreach (BatchResult _ in results)
        {
            count++;
        }

        return count;
    }

    private static BatchEntry Entry(string program) =>
        new(batch: null!, new BatchItem(new ProcessCommand(program)), new BatchRetry(), index: 0, repetition: 0);
}
