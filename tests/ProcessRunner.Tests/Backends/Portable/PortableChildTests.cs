using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Portable;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Simulated;
using ProcessRunner.Faults;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Input;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies a child of the portable backend without the library above it.</summary>
[Collection(Alone.Name)]
public sealed class PortableChildTests : IDisposable
{
    private readonly PortableBackend _backend = PortableBackend.Open(default);

    public void Dispose() => _backend.Dispose();

    // The exit is seen, but told only once the silent pipe counts as held open. The child has exited in time.
    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
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
    [FactWithRight(Right.ProcessNamespaceWithTable)]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void Signal_ToAChildWhoseNumberAnotherProcessHas_ReachesNobody() => Guard.Run(() =>
        HostProcess.PlayUnshared("--pid --fork --mount-proc", "reused-number"));

    // The memory for it may be missing. Its threads are free for others, and nobody else would close its pipes.
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Child_ThatIsReleasedBeforeItsBegin_LeavesNothing() => Guard.Run(() =>
    {
        string[] pipes;
        int processId;
        using (Witness witness = Start(TestPrograms.Quick("sleep", "1000000")))
        {
            processId = witness.Child.ProcessId;
            pipes = [.. Enumerable.Range(0, 3).Select(number => LinkOf($"/proc/{processId}/fd/{number}"))];
            OpenPipes().Should().Contain(pipes);
        }

        OpenPipes().Should().NotContain(pipes);
        Eventually.Is(() => !ProcFs.IsAlive(processId), "the child is killed");

        // The thread that has started the child may still count as busy for a moment, and idle threads may end.
        int threads = _backend.Workers.Count;
        _backend.Workers.Reserve(threads - 1);
        _backend.Workers.Count.Should().BeLessThanOrEqualTo(threads);
    });

    // The child exists by then, and its release returns what is still reserved.
    [Fact]
    public void SimulatedChild_WhoseThreadIsMissing_ReturnsItsThreadsOnce() => Guard.Run(() =>
    {
        const int Unavailable = 11;
        using PortableBackend backend = PortableBackend.Open(default(BackendOptions) with { Simulator = new Idler() });
        ProcessCommand command = new("x") { StandardInput = InputSource.Pipe };
        FluentActions.Invoking(() => Start(backend, command, () => FaultPoint.Decide = call =>
            call == "thread" && Thread.CurrentThread.Name == "ProcessRunner worker" ? Unavailable : 0))
            .Should().Throw<OutOfMemoryException>();
        Eventually.Is(() => backend.Workers.Count == 0, "its threads have been idle for long");
        backend.Workers.Reserve(3);
        backend.Workers.Count.Should().Be(3);
    });

    // The memory for its input may be missing.
    [Fact]
    public void Child_ThatIsReleasedBeforeItsExit_IsKilled() => Guard.Run(() =>
    {
        int processId;
        using (Witness witness = Start(TestPrograms.Quick("sleep", "1000000")))
        {
            processId = witness.Child.ProcessId;
            lock (witness.Child.Gate)
            {
                witness.Child.Begin();
            }
        }

        Eventually.Is(() => !ProcFs.IsAlive(processId), "the child is killed");
    });

    private static IEnumerable<string> OpenPipes() =>
        new DirectoryInfo("/proc/self/fd").EnumerateFiles().Select(descriptor => descriptor.LinkTarget ?? "");

    private static string LinkOf(string path) => new FileInfo(path).LinkTarget!;

    // There is no road back from here: the threads are reserved, and the child runs.
    [Fact]
    public void Begin_TakesNoMemory() => Guard.Run(() =>
    {
        BeginMeasured();
        BeginMeasured().Should().Be(0);
    });

    private long BeginMeasured()
    {
        using Witness witness = Start(TestPrograms.Quick("stdin") with { StandardInput = InputSource.Pipe });
        lock (witness.Child.Gate)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            witness.Child.Begin();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    private Witness Start(ProcessCommand command) => Start(_backend, command, () => { });

    private static Witness Start(PortableBackend backend, ProcessCommand command, Action beforeTheStart)
    {
        Witness witness = new(backend.Create(command with { StandardInput = InputSource.Pipe }, null, default));
        lock (witness.Child.Gate)
        {
            witness.Child.Watch(witness, witness);
        }

        try
        {
            beforeTheStart();
            witness.Child.Start();
            return witness;
        }
        catch
        {
            witness.Dispose();
            throw;
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    }

    // Answers with a child that ends at once.
    private sealed class Idler : ISimulator, ISimulation
    {
        public bool HandlesSignals => false;

        public bool IsAnswering => false;

        public ISimulation Answer(ILaunchPlan plan) => this;

        public void Start()
        {
        }

        public int Play(SimulatedProcess process) => 0;

        public ExitStatus? OnSignal(PosixSignal signal) => null;
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

        public override OutputSink Channel(int number) => NoSink.Instance;

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

        public void OnStopNotSent(Descendant descendant)
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
