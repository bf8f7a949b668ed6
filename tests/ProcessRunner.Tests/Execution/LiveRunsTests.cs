using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Execution;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Execution;

/// <summary>Tests which runs an engine considers its own.</summary>
public sealed class LiveRunsTests
{
    // The disposal of the engine has looked at the list by then, and nobody would stop the run.
    [Fact]
    public void Add_ToAClosedList_IsRefused()
    {
        LiveRuns runs = new();
        runs.Close();
        runs.Invoking(closed => closed.Add(null!)).Should().ThrowExactly<ObjectDisposedException>();
        runs.Count.Should().Be(0);
        runs.ToArray().Should().BeEmpty();
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(0, 2)]
    [InlineData(1, 0)]
    [InlineData(1, 2)]
    [InlineData(2, 0)]
    [InlineData(2, 1)]
    public void RunThatEnds_LeavesTheOthers(int first, int second) => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        List<ChildProcess> children =
            [.. Enumerable.Range(0, 3).Select(_ => TestPrograms.Quick("sleep", "1000000").Start(engine))];
        foreach (ChildProcess child in new[] { children[first], children[second] })
        {
            child.Kill();
            child.Wait();
            children.Remove(child);
            Internals.LivesOf(engine).Select(run => run.ProcessId).Should()
                .Equal(children.Select(other => other.ProcessId).Reverse());
            engine.LiveChildren.Should().Be(children.Count);
        }
    });

    [Fact]
    public void StartThatFails_LeavesNoRun() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        new ProcessCommand("/").Invoking(command => command.Start(engine))
            .Should().ThrowExactly<ProcessStartException>();
        engine.LiveChildren.Should().Be(0);
        Internals.LivesOf(engine).Should().BeEmpty();
    });
}
