using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Runtime.CompilerServices;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Engines;

/// <summary>Verifies that a child whose result nobody looked at is reported, and no other.</summary>
public sealed class ForgottenChildTests : IDisposable
{
    private readonly ConcurrentQueue<ForgottenChild> _forgotten = new();
    private readonly ProcessEngine _engine;

    public ForgottenChildTests() => _engine = ProcessEngine.Simulate(
        command => new SimulatedRun("x", int.Parse(command.Arguments[0])),
        new ProcessEngineOptions { ForgottenChild = _forgotten.Enqueue, KeepStartStacks = true });

    public void Dispose() => _engine.Dispose();

    [Fact]
    public void Child_ThatNobodyWaitedFor_IsToldOnceWithItsStack() => Guard.Run(() =>
    {
        Forget(7);
        Eventually.Is(() => Collect() && !_forgotten.IsEmpty, "the child is told");
        ForgottenChild child = _forgotten.Single();
        child.Result.ExitCode.Should().Be(7);
        child.StartStack.Should().MatchRegex($@"^\s+at .*\.{nameof(Forget)}\(");
        $"{child}".Should().Contain("x 7").And.Contain(nameof(Forget));
        Collect();
        _forgotten.Should().ContainSingle();
    });

    [Fact]
    public void Children_ThatSomebodyLookedAt_AreNotTold() => Guard.Run(() =>
    {
        LookAtSome();

        // The last one is forgotten, and is told after all the others would have been.
        Forget(9);
        Eventually.Is(() => Collect() && !_forgotten.IsEmpty, "the last child is told");
        _forgotten.Select(child => child.Result.ExitCode).Should().Equal(9);
    });

    [Fact]
    public void Executor_ThatRunsOn_IsTold() => Guard.Run(() =>
    {
        RunAndDrop();
        Eventually.Is(() => Collect() && !_forgotten.IsEmpty, "the run is told");
        _forgotten.Single().Result.ExitCode.Should().Be(3);
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Forget(int code)
    {
        Command(code).Start(_engine);
        AwaitAll();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RunAndDrop()
    {
        new ProcessExecutor("name", new ProcessCommand("x"), _engine).Run("3");
        AwaitAll();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void LookAtSome()
    {
        Command(0).Start(_engine).Wait();
        Command(0).Start(_engine).WaitAsync().GetAwaiter().GetResult();
        Command(0).Start(_engine).TryWait(TimeSpan.FromSeconds(30), out _);
        Command(0).Start(_engine).Dispose();
        Command(0).Start(_engine).Detach();
        Command(0).Run(_engine);
        _ = Command(0).RunAsync(_engine);
        (Command(0) | Command(0)).Run(_engine);
        ProcessBatch.Enumerate([Command(0)], new BatchOptions { Engine = _engine }).Count().Should().Be(1);
        AwaitAll();
    }

    private void AwaitAll() => Eventually.Is(() => _engine.LiveChildren == 0, "all children have ended");

    private static ProcessCommand Command(int code) => new("x", $"{code}");

    private static bool Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return true;
    }
}
