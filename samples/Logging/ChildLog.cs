using System;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Logging;

/// <summary>
/// Logs the start of every child of ProcessRunner, and its end with its duration and outcome, while the host runs:
/// <c>builder.Services.AddHostedService&lt;ChildLog&gt;()</c>.
/// </summary>
/// <remarks>
/// The telemetry has hidden the secrets already. It calls back on threads of the library, a moment after the event.
/// </remarks>
public sealed class ChildLog(ILogger<ChildLog> logger) : IHostedService, IDisposable
{
    private const string Source = "ProcessRunner";

    private ActivityListener? _ends;
    private StartListener? _starts;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _starts = new StartListener { Logger = logger };
        _ends = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == Source,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = LogEnd,
        };
        ActivitySource.AddActivityListener(_ends);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        Dispose();
        return Task.CompletedTask;
    }

    public void Dispose()
    {
        _ends?.Dispose();
        _starts?.Dispose();
    }

    private void LogEnd(Activity run) => logger.Log(
        run.GetTagItem("error.type") is null ? LogLevel.Information : LogLevel.Warning,
        "{Program} ({ProcessId}) ended after {Duration} ms: {Outcome}, exit code {ExitCode}",
        run.DisplayName,
        run.GetTagItem("process.pid"),
        run.Duration.TotalMilliseconds,
        run.GetTagItem("error.type") ?? "Success",
        run.GetTagItem("process.exit.code"));

    // An activity exists only once its run has ended. The start is an event.
    private sealed class StartListener : EventListener
    {
        public required ILogger Logger { get; init; }

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == Source)
            {
                EnableEvents(eventSource, EventLevel.Informational);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventName == "ChildStarted")
            {
                Logger.LogInformation(
                    "{Program} started as {ProcessId}", eventData.Payload![1], eventData.Payload[0]);
            }
        }
    }
}
