using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace ProcessRunner.Execution.Telemetry;

/// <summary>
/// Contains the instruments of the meter <c>ProcessRunner</c> and the source of its activities. Their listeners are
/// user code: they are called on delivery threads, and the observed instruments on the thread of the listener.
/// </summary>
/// <remarks>They belong to the process, as listeners find them by name. They never change.</remarks>
internal static class Instruments
{
    private const string Name = "ProcessRunner";

    /// <summary>The source of the activities: one for each run.</summary>
    public static readonly ActivitySource Source = new(Name);

    private static readonly Meter s_meter = new(Name);

    public static readonly Counter<long> Started =
        s_meter.CreateCounter<long>("processrunner.children.started", "{child}", "Children that were started.");

    public static readonly Counter<long> Ended = s_meter.CreateCounter<long>(
        "processrunner.children.ended", "{child}", "Runs that have ended, by outcome; StartFailed without a child.");

    public static readonly Histogram<double> StartDuration = s_meter.CreateHistogram<double>(
        "processrunner.start.duration", "s", "The time from the first attempt to start until the program runs.");

    public static readonly Histogram<double> RunDuration = s_meter.CreateHistogram<double>(
        "processrunner.run.duration", "s", "The time from the start of a child to its exit, by outcome.");

    public static readonly Histogram<double> WaitDelay = s_meter.CreateHistogram<double>(
        "processrunner.wait.delay", "s", "The time from the exit of a child to the end of its run.");

    public static readonly Counter<long> OutputBytes = s_meter.CreateCounter<long>(
        "processrunner.output.size", "By", "Bytes that children wrote through this process.");

    static Instruments()
    {
        s_meter.CreateObservableUpDownCounter(
            "processrunner.children.running",
            static () => EngineRegistry.RunningChildren,
            "{child}",
            "Children that run or are being started.");
        s_meter.CreateObservableUpDownCounter(
            "processrunner.commands.queued",
            static () => EngineRegistry.QueuedCommands,
            "{command}",
            "Commands that batches have read and not yet started.");
        s_meter.CreateObservableUpDownCounter(
            "processrunner.capture.memory",
            static () => EngineRegistry.CaptureMemory,
            "By",
            "The memory that captured output occupies.");
    }

    /// <summary>Gets whether a listener wants to know about single runs.</summary>
    public static bool AreListenedTo =>
        Started.Enabled
        || Ended.Enabled
        || StartDuration.Enabled
        || RunDuration.Enabled
        || WaitDelay.Enabled
        || OutputBytes.Enabled
        || Source.HasListeners()
        || RunEvents.Log.IsEnabled();
}
