using System;
using System.Collections.Generic;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Tests.Backends;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>
/// Verifies the turns of the receivers of one run without a process. The jobs run inside a receiver, as they would on
/// other threads during its call.
/// </summary>
public sealed class DeliveryLaneTests : IDisposable
{
    private readonly List<string> _calls = [];
    private readonly Run _owner = new();
    private readonly RunStreams _run;

    public DeliveryLaneTests() => _run = new RunStreams(
        new ProcessCommand("program") { StandardOutput = OutputTarget.Null, StandardError = OutputTarget.Null },
        new DeafChild(),
        _owner);

    public void Dispose() => _owner.Dispose();

    // The thread that served the lane returns from the receiver before another one has begun to serve the lane.
    [Fact]
    public void Receivers_BehindOneThatWasCutOff_TakeTurns()
    {
        DeliverySink last = Sink("last", () => { });
        DeliverySink middle = Sink("middle", () =>
        {
            Send(last);
            _owner.RunJobs();
        });
        DeliverySink? first = null;
        first = Sink("first", () =>
        {
            Send(middle);
            CutOff(first!);
        });
        Send(first);
        _owner.RunJobs();
        _calls.Should().Equal("first begins", "first ends", "middle begins", "middle ends", "last begins", "last ends");
    }

    // Of the looks of a Tee, those that find the turn of another receiver are no sign of idleness.
    [Fact]
    public void Receiver_ThatWaitsForAnother_IsNotIdle()
    {
        long now = MonotonicClock.Now;
        DeliverySink patient = Sink("patient", () => { });
        TeeSink tee = new([patient]);
        DeliverySink? slow = null;
        slow = Sink("slow", () =>
        {
            lock (_run.Child.Gate)
            {
                tee.Append(new byte[4 * 64 * 1024]);
                tee.IsFull.Should().BeTrue();
                for (int i = 0; i < 10; i++)
                {
                    tee.OnDeadline(now = MonotonicClock.After(now, TimeSpan.FromSeconds(2)));
                }

                slow!.CutOff(new TimeoutException());
                tee.OnDeadline(MonotonicClock.After(now, TimeSpan.FromSeconds(2)));
            }
        });
        Send(slow);
        _owner.RunJobs();
        tee.Failure.Should().BeNull();
        _calls.Should().HaveCount(2 + (2 * 4));
    }

    private DeliverySink Sink(string name, Action onBytes) => new(_run, ChildOutput.Output, new Receiver(() =>
    {
        _calls.Add($"{name} begins");
        onBytes();
        _calls.Add($"{name} ends");
    }));

    private void Send(DeliverySink sink)
    {
        lock (_run.Child.Gate)
        {
            sink.Append("bytes"u8);
        }
    }

    private void CutOff(DeliverySink sink)
    {
        lock (_run.Child.Gate)
        {
            sink.CutOff(new TimeoutException());
        }
    }

    private sealed class Receiver(Action onBytes) : ByteReceiver
    {
        public override bool CallsUser => true;

        public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) => onBytes();
    }

    private sealed class Run : IStreamOwner, IDeliveryThreads
    {
        private readonly Queue<DeliveryJob> _jobs = new();

        public Run() => Services = new StreamServices(captureBudget: 0, new Backend(), this);

        public StreamServices Services { get; }

        public ExecutionContext? Context => null;

        public bool HasEnded => false;

        public int Count => 0;

        public void Post(DeliveryJob job)
        {
            if (!_jobs.Contains(job))
            {
                _jobs.Enqueue(job);
            }
        }

        public void RunJobs()
        {
            while (_jobs.TryDequeue(out DeliveryJob? job))
            {
                job.Action();
            }
        }

        public void OnExceeded() => throw new NotSupportedException();

        public void OnOutOfMemory(OutOfMemoryException exception) => throw new NotSupportedException();

        public void Dispose()
        {
        }
    }

    private sealed class Backend : ShellBackend
    {
        public override BackendCapabilities Capabilities => new();
    }

    private sealed class DeafChild : ShellChild
    {
        public override void ResumeOutput(ChildOutput stream)
        {
        }
    }
}
