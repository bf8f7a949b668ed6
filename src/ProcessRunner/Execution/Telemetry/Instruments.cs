using System;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Metrics;

namespace ProcessRunner.Execution.Telemetry;

/// <summary>
/// Contains the instruments of the meter <c>ProcessRunner</c>, and the sources of its activities and events. Their
/// listeners are user code: they are called on delivery threads, also where an instrument is published, and the
/// observed instruments on the thread of the listener.
/// </summary>
/// <remarks>
/// They belong to the process, as listeners find them by name. They are published once, and never change. One whose
/// publication fails, because a listener throws, is null.
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "The meter belongs to the process.")]
internal sealed class Instruments
{
    private const string Name = "ProcessRunner";

    private static readonly object s_publication = new();
    private static volatile Instruments? s_published;

    private readonly Meter _meter = new(Name);

    private Instruments()
    {
        Source = Published(static () => new ActivitySource(Name));
        Events = Published(static () => new RunEvents());
        Started = Published(() => _meter.CreateCounter<long>(
            "processrunner.children.started", "{child}", "Children that were started."));
        Ended = Published(() => _meter.CreateCounter<long>(
            "processrunner.children.ended",
            "{child}",
            "Runs that have ended, by outcome; StartFailed without a child."));
        StartDuration = Published(() => _meter.CreateHistogram<double>(
            "processrunner.start.duration", "s", "The time from the first attempt to start until the program runs."));
        RunDuration = Published(() => _meter.CreateHistogram<double>(
            "processrunner.run.duration", "s", "The time from the start of a child to its exit, by outcome."));
        WaitDelay = Published(() => _meter.CreateHistogram<double>(
            "processrunner.wait.delay", "s", "The time from the exit of a child to the end of its run."));
        OutputBytes = Published(() => _meter.CreateCounter<long>(
            "processrunner.output.size", "By", "Bytes that children wrote through this process."));
        Observe(
            "processrunner.children.running",
            static () => EngineRegistry.RunningChildren,
            "{child}",
            "Children that run or are being started.");
        Observe(
            "processrunner.commands.queued",
            static () => EngineRegistry.QueuedCommands,
            "{command}",
            "Commands that batches have read and not yet started.");
        Observe(
            "processrunner.capture.memory",
            static () => EngineRegistry.CaptureMemory,
            "By",
            "The memory that captured output occupies.");
    }

    /// <summary>Gets the source of the activities: one for each run.</summary>
    public ActivitySource? Source { get; }

    /// <summary>Gets the source of the events.</summary>
    public RunEvents? Events { get; }

    public Counter<long>? Started { get; }

    public Counter<long>? Ended { get; }

    public Histogram<double>? StartDuration { get; }

    public Histogram<double>? RunDuration { get; }

    public Histogram<double>? WaitDelay { get; }

    public Counter<long>? OutputBytes { get; }

    /// <summary>
    /// Gets whether a listener wants to know about single runs, or nobody has been asked yet. Calls no user code.
    /// </summary>
    public static bool MayBeListenedTo => s_published is not { } all || all.IsListenedTo;

    /// <summary>Returns the instruments. The first call publishes them, and thereby calls user code.</summary>
    public static Instruments Publish()
    {
        lock (s_publication)
        {
            return s_published ??= new Instruments();
        }
    }

    private bool IsListenedTo =>
        Started is { Enabled: true }
        || Ended is { Enabled: true }
        || StartDuration is { Enabled: true }
        || RunDuration is { Enabled: true }
        || WaitDelay is { Enabled: true }
        || OutputBytes is { Enabled: true }
        || Source?.HasListeners() == true
        || Events?.IsEnabled() == true;

    private void Observe(string name, Func<long> value, string unit, string description) =>
        Published(() => _meter.CreateObservableUpDownCounter(name, value, unit, description));

    // .NET calls the listeners in the constructor, and lets their exceptions through.
    private static T? Published<T>(Func<T> create)
        where T : class
    {
        try
        {
            return create();
        }
        catch (Exception)
        {
            return null;
        }
    }
}
