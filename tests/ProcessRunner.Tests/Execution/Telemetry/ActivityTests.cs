using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Execution.Telemetry;

/// <summary>
/// Verifies the activity of each run. The listener hears of all runs of this process, and has their code called again.
/// </summary>
[Collection(Alone.Name)]
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
    public void Activity_OfARun_TellsTheProgramAndItsEnd() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("sleep", "50", "return", "3");
        string name = System.IO.Path.GetFileName(command.FileName);
        ProcessResult result = command.Run();
        Activity activity = Single();
        activity.OperationName.Should().Be(name);
        activity.Kind.Should().Be(ActivityKind.Client);
        activity.ParentSpanId.Should().Be(_caller.SpanId);
        activity.GetTagItem("process.executable.name").Should().Be(name);
        activity.GetTagItem("process.command_line").Should().Be(command.ToString());
        activity.GetTagItem("process.executable.path").Should().Be(command.FileName);
        activity.GetTagItem("process.command_args").As<string[]>()
            .Should().Equal([command.FileName, .. command.Arguments]);
        activity.GetTagItem("process.pid").Should().Be(result.ProcessId);
        activity.GetTagItem("process.exit.code").Should().Be(3);
        activity.GetTagItem("error.type").Should().Be("Exited");
        activity.Status.Should().Be(ActivityStatusCode.Error);
        activity.StartTimeUtc.Should().Be(result.StartTime.UtcDateTime);
        activity.Duration.Should().BeGreaterThanOrEqualTo(result.RunTime);
    });

    [Fact]
    public void Activity_OfASuccess_HasNoError() => Guard.Run(() =>
    {
        TestPrograms.Quick().Run();
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

    // The limits are below the shortest pauses between the attempts (StartRetry). A busy machine makes them longer.
    [Fact]
    public void Activity_OfAStartThatWasRetried_BeginsWithTheFirstAttempt() => Guard.Run(() =>
    {
        using ProcessEngine engine = ProcessEngine.Simulate(
            _ => SimulatedRun.FailStart(ProcessStartStep.OutOfResources, attempts: 5));
        ProcessResult result = new ProcessCommand("any").Run(engine);
        result.StartAttempts.Should().Be(6);
        Activity activity = Single();
        (result.StartTime.UtcDateTime - activity.StartTimeUtc).Should().BeGreaterThan(TimeSpan.FromMilliseconds(10));
        (activity.StartTimeUtc + activity.Duration).Should().BeOnOrAfter(result.StartTime.UtcDateTime + result.RunTime);
    });

    [Fact]
    public void Activity_OfAStartThatFailedAgainAndAgain_LastsAsLongAsTheAttempts() => Guard.Run(() =>
    {
        using ProcessEngine engine = ProcessEngine.Simulate(
            _ => SimulatedRun.FailStart(ProcessStartStep.OutOfResources));
        FluentActions.Invoking(() => new ProcessCommand("any").Run(engine)).Should().Throw<ProcessStartException>();
        Single().Duration.Should().BeGreaterThan(TimeSpan.FromMilliseconds(200));
    });

    [Fact]
    public void Activity_WhoseExitCodeCannotBeJudged_IsAnError() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("return", "3") with
        {
            AcceptsExitCode = _ => throw new FormatException(),
        };
        command.Run().ExitCode.Should().Be(3);
        Activity activity = Single();
        activity.GetTagItem("process.exit.code").Should().Be(3);
        activity.GetTagItem("error.type").Should().Be("Exited");
        activity.Status.Should().Be(ActivityStatusCode.Error);
    });

    [Fact]
    public void Activity_HidesSecrets() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { Secrets = ["hush"] });
        TestPrograms.Quick("echo", "a hush b").WithEnvironment("TOKEN", "hush").Run(engine);
        Activity activity = Single();
        activity.TagObjects.Should().NotContain(tag => $"{tag.Value}".Contains("hush"));
        activity.GetTagItem("process.command_args").As<string[]>().Should().EndWith("a *** b");
    });

    [Fact]
    public void Activity_OfAFailedStart_HidesSecretsInThePath() => Guard.Run(() =>
    {
        string program = Path.GetFullPath("/no/hush/program");
        using ProcessEngine engine = new(new ProcessEngineOptions { Secrets = ["hush"] });
        FluentActions.Invoking(() => new ProcessCommand(program).Run(engine))
            .Should().Throw<ProcessStartException>();
        Activity activity = Single();
        activity.TagObjects.Should().NotContain(tag => $"{tag.Value}".Contains("hush"));
        activity.StatusDescription.Should().NotContain("hush");
        activity.GetTagItem("process.executable.path")
            .Should().Be(program.Replace("hush", "***", StringComparison.Ordinal));
    });

    [Fact]
    public void Activity_OfAStartThatUserCodeFails_HidesSecretsInItsWords() => Guard.Run(() =>
    {
        using ProcessEngine engine = ProcessEngine.Simulate(
            _ => throw new InvalidOperationException("no hush here"), new ProcessEngineOptions { Secrets = ["hush"] });
        FluentActions.Invoking(() => new ProcessCommand("any").Run(engine)).Should().Throw<Exception>();
        Single().StatusDescription.Should().Contain("no *** here");
    });

    [Fact]
    public void Activities_OfABatch_HaveItsCallerAsParent() => Guard.Run(() =>
    {
        ProcessBatch.Enumerate(Enumerable.Range(0, 20).Select(number => TestPrograms.Quick("return", $"{number}")))
            .Count().Should().Be(20);
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
