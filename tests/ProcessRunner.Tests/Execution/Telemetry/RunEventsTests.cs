using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Execution.Telemetry;

/// <summary>Verifies the events that dotnet-trace and others see.</summary>
public sealed class RunEventsTests
{
    [Fact]
    [OnlyOn(Systems.Unix, "a link is the program")]
    public void Events_TellStartsEndsAndFailures() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string program = directory.At("program");
        System.IO.File.CreateSymbolicLink(program, TestPrograms.QuickChildPath);
        string missing = directory.At("missing");
        using Listener listener = new();
        ProcessResult result = new ProcessCommand(program, "return", "1").Run();
        FluentActions.Invoking(() => new ProcessCommand(missing).Run()).Should().Throw<ProcessStartException>();
        Eventually.Is(() => listener.Of(missing).Length == 1 && listener.Of(program).Length == 2, "all are told");
        listener.Of(program).Should().Equal(
            $"ChildStarted {result.ProcessId} {program}",
            $"ChildEnded {result.ProcessId} {program} Exited, exit code 1");
        listener.Of(missing)[0].Should().StartWith($"StartFailed {missing} Cannot start");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a link is the program")]
    public void Events_HideSecrets() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string program = directory.At("program-hush");
        System.IO.File.CreateSymbolicLink(program, TestPrograms.QuickChildPath);
        using Listener listener = new();
        (new ProcessCommand(program, "return", "1") { Secrets = ["hush"] }).Run();
        FluentActions.Invoking(() => (new ProcessCommand($"{program}-missing") { Secrets = ["hush"] }).Run())
            .Should().Throw<ProcessStartException>();
        string shown = directory.At("program-***");
        Eventually.Is(() => listener.Of(shown).Length == 3, "the start, the end and the failure arrive");
        listener.Of(program).Should().BeEmpty();
    });

    private sealed class Listener : EventListener
    {
        private readonly ConcurrentQueue<string> _events = new();

        public string[] Of(string program) => [.. _events.Where(text => text.Contains(program))];

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "ProcessRunner")
            {
                EnableEvents(eventSource, EventLevel.Informational);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData) =>
            _events?.Enqueue($"{eventData.EventName} {string.Join(' ', eventData.Payload!)}");
    }
}
