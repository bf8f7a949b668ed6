using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Portable;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Input;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies a child of the portable backend without the library above it.</summary>
public sealed class PortableChildTests : IDisposable
{
    private readonly PortableBackend _backend = PortableBackend.Open(default);

    public void Dispose() => _backend.Dispose();

    // The exit is seen, but told only once the silent pipe counts as held open. The child has exited in time.
    [Fact]
    public void Deadline_ThatPassesBetweenTheExitAndItsReport_WaitsForTheReport() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        using Witness witness = Start(TestPrograms.Shell("(read x <\"$1\") & exit 7", go));
        lock (witness.Child.Gate)
        {
            witness.Child.Begin();
        }

        witness.Deadline.Wait();
        File.WriteAllText(go, "go\n");
        witness.Reports.Should().Equal("exit", "deadline");
    });

    // The runtime reaps the child by itself. The gate keeps the backend from seeing it.
    [Fact]
    public void Signal_ToAChildWhoseNumberAnotherProcessHas_ReachesNobody() => Guard.Run(() =>
        HostProcess.PlayUnshared("--pid --fork --mount-proc", "reused-number"));

    // There is no road back from here: the threads are reserved, and the child runs.
    [Fact]
    public void Begin_TakesNoMemory() => Guard.Run(() =>
    {
        BeginMeasured();
        BeginMeasured().Should().Be(0);
    });

    private long BeginMeasured()
    {
        using Witness witness = Start(new ProcessCommand("cat") with { StandardInput = InputSource.Pipe });
        lock (witness.Child.Gate)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            witness.Child.Begin();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    private Witness Start(ProcessCommand command)
    {
        Witness witness = new(_backend.Create(command with { StandardInput = InputSource.Pipe }, null, default));
        lock (witness.Child.Gate)
        {
            witness.Child.Watch(witness, witness);
        }

        witness.Child.Start();
        return witness;
    }

    // Sets a deadline that has passed as soon as the exit is seen, and once more when it is told.
    private sealed class Witness(BackendChild child) : ChildStreams, IChildEvents, IDisposable
    {
        public BackendChild Child => child;

        public List<string> Reports { get; } = [];

        public ManualResetEventSlim Deadline { get; } = new();

        public override InputFeed Input { get; } = new FeedThatHurries(child);

        public override OutputSink Output => NoSink.Instance;

        public override OutputSink Error => NoSink.Instance;

        public void OnExit(ExitStatus status)
        {
            Reports.Add("exit");
            child.SetDeadline(MonotonicClock.Now);
        }

        public void OnDeadline(long now)
        {
            Reports.Add("deadline");
            if (Reports.Contains("exit"))
            {
                Deadline.Set();
            }
        }

        public void OnOutput()
        {
        }

        public void OnEndOfOutput()
        {
        }

        public void OnReleased()
        {
        }

        public void OnOutOfMemory(OutOfMemoryException exception)
        {
        }

        public void OnSurvey(IReadOnlyList<Descendant> descendants, bool isLast)
        {
        }

        public void Dispose()
        {
            lock (child.Gate)
            {
                child.Release();
            }
        }
    }

    private sealed class FeedThatHurries(BackendChild child) : QueueFeed(child)
    {
        private readonly BackendChild _child = child;

        public override void Abandon()
        {
            base.Abandon();
            _child.SetDeadline(MonotonicClock.Now);
        }
    }
}
