using System;
using System.Collections.Generic;
using System.Diagnostics.Metrics;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Execution.Telemetry;

/// <summary>Verifies the instruments of the meter, which sees all children of this process.</summary>
[Collection(Alone.Name)]
public sealed class InstrumentTests : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly Dictionary<string, double> _sums = [];
    private readonly Dictionary<string, int> _counts = [];
    private readonly HashSet<string> _threads = [];

    public InstrumentTests()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "ProcessRunner")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.Start();
    }

    public void Dispose() => _listener.Dispose();

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    [NativeBackend(".NET reports a death by a signal as an exit code")]
    public void Runs_AreCountedAndMeasured() => Guard.Run(() =>
    {
        TestPrograms.Shell("sleep 0.05; printf 12345; exit 3").Run();
        TestPrograms.Shell("kill -9 $$").Run();
        FluentActions.Invoking(() => new ProcessCommand("/no/such/program").Run())
            .Should().Throw<ProcessStartException>();
        string[] ends = ["Exited", "Signaled", "StartFailed"];
        Eventually.Is(
            () => ends.All(end => Sum($"processrunner.children.ended {end}") == 1), "each end is told once");
        Eventually.Is(() => Sum("processrunner.output.size") == 5, "the size is told, which comes last");
        Sum("processrunner.children.started").Should().Be(2);
        Sum("processrunner.run.duration Exited").Should().BeGreaterThanOrEqualTo(0.05);
        Sum("processrunner.start.duration").Should().BeGreaterThan(0);
        Sum("processrunner.wait.delay").Should().BeGreaterThanOrEqualTo(0);
        Count("processrunner.wait.delay").Should().Be(2);
        _threads.Should().OnlyContain(name => name.StartsWith("ProcessRunner delivery"));
    });

    // The limit is below the shortest pauses between the attempts (StartRetry).
    [Fact]
    public void Start_ThatWasRetried_IsMeasuredFromTheFirstAttempt() => Guard.Run(() =>
    {
        using ProcessEngine engine = ProcessEngine.Simulate(
            _ => SimulatedRun.FailStart(ProcessStartStep.OutOfResources, attempts: 6));
        new ProcessCommand("any").Run(engine).StartAttempts.Should().Be(7);
        Eventually.Is(() => Sum("processrunner.children.ended Exited") == 1, "the end is told");
        Sum("processrunner.start.duration").Should().BeGreaterThan(0.025);
    });

    [Fact]
    public void Start_ThatABatchRetried_IsTheStartOfOneRun() => Guard.Run(() =>
    {
        using ProcessEngine engine = ProcessEngine.Simulate(command =>
            SimulatedRun.FailStart(
                ProcessStartStep.OutOfResources, attempts: command.FileName == "hopeless" ? null : 3));
        ProcessCommand[] commands = [new("late"), new("hopeless")];
        ProcessBatch.Enumerate(commands, new BatchOptions { Engine = engine }).Count().Should().Be(2);
        Eventually.Is(
            () => Sum("processrunner.children.ended Exited") == 1
                && Sum("processrunner.children.ended StartFailed") > 0,
            "both ends are told");
        Sum("processrunner.children.started").Should().Be(1);
        Sum("processrunner.children.ended StartFailed").Should().Be(1);
    });

    [Fact]
    public void LiveChildren_QueuedCommandsAndCaptures_AreObserved() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        ProcessCommand[] commands = [.. Enumerable.Repeat(TestPrograms.Quick("sleep", "1000000"), 5)];
        BatchResults batch = ProcessBatch.Enumerate(commands, new BatchOptions { Engine = engine, MaxConcurrency = 2 });
        using IEnumerator<BatchResult> results = batch.GetEnumerator();
        Thread reader = new(() => results.MoveNext());
        reader.Start();
        Eventually.Is(() => batch.Progress is { Running: 2, Queued: 3 }, "two run, and the others wait");
        Eventually.Is(
            () => Observe("processrunner.children.running") >= 2, "they are seen once the instruments are published");
        Observe("processrunner.commands.queued").Should().Be(3);
        batch.RequestStop();
        reader.Join();
        while (results.MoveNext())
        {
        }

        Observe("processrunner.commands.queued").Should().Be(0);
        ProcessResult held = TestPrograms.Quick("zeros", "5000000").Run(engine);
        Observe("processrunner.capture.memory").Should().BeGreaterThanOrEqualTo(4_000_000);
        GC.KeepAlive(held);

        // Ends are told later, and the next test must not hear of these.
        Eventually.Is(
            () => Sum("processrunner.children.ended Exited") == 1 && Sum("processrunner.children.ended Canceled") == 2
                && Sum("processrunner.output.size") == 5_000_000,
            "all is told");
    });

    [Fact]
    public void Listener_ThatThrows_HarmsNoRun() => Guard.Run(() =>
    {
        using MeterListener broken = new();
        broken.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "ProcessRunner" && !instrument.IsObservable)
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        int calls = 0;
        broken.SetMeasurementEventCallback<long>((_, _, _, _) =>
        {
            Interlocked.Increment(ref calls);
            throw new FormatException();
        });
        broken.Start();
        for (int i = 0; i < 20; i++)
        {
            TestPrograms.Quick("return", "3").Run().ExitCode.Should().Be(3);
        }

        Eventually.Is(() => Volatile.Read(ref calls) >= 40, "the listener is called for each start and each end");
        Eventually.Is(() => Sum("processrunner.children.ended Exited") == 20, "the other listener hears of all ends");
    });

    private void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        string name = tags.IsEmpty ? instrument.Name : $"{instrument.Name} {tags[0].Value}";
        lock (_sums)
        {
            _sums[name] = _sums.GetValueOrDefault(name) + value;
            _counts[name] = _counts.GetValueOrDefault(name) + 1;
            if (!instrument.IsObservable)
            {
                _threads.Add(Thread.CurrentThread.Name ?? "no name");
            }
        }
    }

    private double Sum(string name)
    {
        lock (_sums)
        {
            return _sums.GetValueOrDefault(name);
        }
    }

    private int Count(string name)
    {
        lock (_sums)
        {
            return _counts.GetValueOrDefault(name);
        }
    }

    private double Observe(string name)
    {
        lock (_sums)
        {
            _sums.Remove(name);
        }

        _listener.RecordObservableInstruments();
        return Sum(name);
    }
}
