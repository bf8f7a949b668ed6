using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Races;

[Collection(Alone.Name)]
public sealed class DisposeOfEngineTests
{
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_RacingWithStarts_EndsEveryChildThatWasStarted() => Guard.Run(() =>
    {
        TestPrograms.Quick().Run();
        RaceWithStarts();
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_RacingWithStartsThatRentLowDescriptors_EndsEveryChildAndClosesThem() => Guard.Run(() =>
    {
        TestPrograms.Quick().Run();
        int[] crowd = [.. Enumerable.Range(0, 300).Select(_ => NativeMethods.Open("/dev/null", 0))];
        Garbage.LetGo();
        int before = ProcFs.NullDevices;
        RaceWithStarts();
        ProcFs.NullDevices.Should().Be(before);
        Array.ForEach(crowd, descriptor => NativeMethods.Close(descriptor).Should().Be(0));
    });

    private static void RaceWithStarts()
    {
        int descriptors = ProcFs.OpenDescriptors;
        int started = 0;
        for (int round = 0; round < 150; round++)
        {
            ProcessEngine engine = new();
            List<ChildProcess>[] children = [[], [], []];
            using CountdownEvent first = new(children.Length);
            PlainThread[] starters =
                [.. children.Select(list => PlainThread.Run(() => StartUntilDisposed(engine, list, first)))];
            first.Wait();
            engine.Dispose();
            PlainThread.JoinAll(starters);
            foreach (ChildProcess child in children.SelectMany(list => list))
            {
                child.IsRunning.Should().BeFalse("an engine's dispose waits for all");
                child.Wait().Outcome.Should().BeOneOf(ProcessOutcome.Canceled, ProcessOutcome.Exited);
                started++;
            }

            engine.LiveChildren.Should().Be(0);
        }

        started.Should().BeGreaterThan(0);
        ProcFs.Children.Should().BeEmpty();
        Eventually.Is(() => ProcFs.OpenDescriptors <= descriptors, "no more descriptors are open than before");
    }

    private static void StartUntilDisposed(ProcessEngine engine, List<ChildProcess> children, CountdownEvent first)
    {
        ProcessCommand[] commands = [new("sleep", "1000"), new("true")];
        try
        {
            for (int i = 0; ; i++)
            {
                children.Add(commands[i % 2].Start(engine));
                if (i == 0)
                {
                    first.Signal();
                }
            }
        }
        catch (ObjectDisposedException)
        {
            // The exception tells a starter that the engine has been disposed.
        }
        finally
        {
            if (children.Count == 0)
            {
                // Nobody waits for a starter that has failed.
                first.Signal();
            }
        }
    }
}
