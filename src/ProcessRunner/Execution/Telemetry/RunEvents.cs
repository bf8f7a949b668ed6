using System.Diagnostics.Tracing;

namespace ProcessRunner.Execution.Telemetry;

/// <summary>Writes the events of the event source <c>ProcessRunner</c>, for dotnet-trace and others.</summary>
/// <remarks>It belongs to the process, as an event source does.</remarks>
[EventSource(Name = "ProcessRunner")]
internal sealed class RunEvents : EventSource
{
    [Event(1, Level = EventLevel.Informational, Message = "{1} runs as {0}.")]
    public void ChildStarted(int processId, string fileName) => WriteEvent(1, processId, fileName);

    [Event(2, Level = EventLevel.Informational, Message = "{1} has ended: {2}.")]
    public void ChildEnded(int processId, string fileName, string ending) =>
        WriteEvent(2, processId, fileName, ending);

    [Event(3, Level = EventLevel.Warning, Message = "{0} could not be started: {1}")]
    public void StartFailed(string fileName, string reason) => WriteEvent(3, fileName, reason);
}
