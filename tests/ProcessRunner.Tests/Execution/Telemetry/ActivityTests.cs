using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Execution.Telemetry;

/// <summary>Verifies the activity of each run.</summary>
public sealed class ActivityTests : IDisposable
{
    private readonly ConcurrentQueue<Activity> _activities = new();
    private readonly ActivityListener _listener;
    private readonly Activity _caller = new Activity("caller").Start();

    public ActivityTests()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == "ProcessRunner",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = _activities.Enqueue,
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public void Dispose()
    {
        _caller.Dispose();
        _listener.Dispose();
    }

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Activity_OfARun_TellsTheProgramAndItsEnd() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("sleep 0.05; exit 3").Run();
        Activity activity = Single();
        activity.OperationName.Should().Be("sh");
        activity.Kind.Should().Be(ActivityKind.Client);
        activity.ParentSpanId.Should().Be(_caller.SpanId);
        activity.GetTagItem("process.executable.name").Should().Be("sh");
        activity.GetTagItem("process.command_line").Should().Be("/bin/sh -c 'sleep 0.05; exit 3' sh");
        activity.GetTagItem("process.executable.path").Should().Be("/bin/sh");
        activity.GetTagItem("process.command_args").As<string[]>()
            .Should().Equal("/bin/sh", "-c", "sleep 0.05; exit 3", "sh");
        activity.GetTagItem("process.pid").Should().Be(result.ProcessId);
        activity.GetTagItem("process.exit.code").Should().Be(3);
        activity.GetTagItem("error.type").Should().Be("Exited");
        activity.Status.Should().Be(ActivityStatusCode.Error);
        activity.StartTimeUtc.Should().Be(result.StartTime.UtcDateTime);
        activity.Duration.Should().BeGreaterThanOrEqualTo(result.RunTime);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Activity_OfASuccess_HasNoError() => Guard.Run(() =>
    {
        new ProcessCommand("true").Run();
        Activity activity = Single();
        activity.GetTagItem("error.type").Should().BeNull();
        activity.Status.Should().Be(ActivityStatusCode.Unset);
    });

    [Fact]
    public void Activity_OfAFailedStart_TellsTheReason() => Guard.Run(() =>
    {
        FluentActions.Invoking(() => new ProcessCommand("/no/such/program").Run())
            .Should().Throw<ProcessStartException>();
        Activity activity = Single();
        activity.OperationName.Should().Be("program");
        activity.GetTagItem("error.type").Should().Be("StartFailed");
        activity.StatusDescription.Should().Contain("/no/such/program");
        activity.GetTagItem("process.pid").Should().BeNull();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Activity_HidesSecrets() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { Secrets = ["hush"] });
        new ProcessCommand("echo", "a hush b").WithEnvironment("TOKEN", "hush").Run(engine);
        Activity activity = Single();
        activity.TagObjects.Should().NotContain(tag => $"{tag.Value}".Contains("hush"));
        activity.GetTagItem("process.command_args").As<string[]>().Should().Equal("echo", "a *** b");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Activities_OfABatch_HaveItsCallerAsParent() => Guard.Run(() =>
    {
        ProcessBatch.Enumerate(Enumerable.Range(0, 20).Select(number => TestPrograms.Shell($"exit {number}"))).Count()
            .Should().Be(20);
        Eventually.Is(() => Own().Length == 20, "each run is told");
        Own().Select(activity => (int)activity.GetTagItem("process.exit.code")!).Order()
            .Should().Equal(Enumerable.Range(0, 20));
    });

    private Activity Single()
    {
        Eventually.Is(() => Own().Length == 1, "the run is told");
        return Own()[0];
    }

    // Other tests run beside this one.
    private Activity[] Own() => [.. _activities.Where(activity => activity.TraceId == _caller.TraceId)];
}
