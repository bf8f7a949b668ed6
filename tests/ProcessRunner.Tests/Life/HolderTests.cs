using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Streams;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies processes that hold a child's streams after its exit; see also the tests of held pipes.</summary>
[OnlyOn(Systems.Linux, "process groups and /proc")]
[NativeBackend(".NET finds no descendants after the exit of a child")]
public sealed class HolderTests : IDisposable
{
    private const string Silent = "sleep 1000 &";
    private const string Writing = "sh -c 'while echo more; do sleep 0.001; done' &";
    private const string InItsOwnSession = "setsid sleep 1000 &";
    private const string OfErrorOnly = "sleep 1000 >/dev/null & " + UntilItSleeps;
    private const string OfInputOnly = "sleep 1000 >/dev/null 2>&1 & " + UntilItSleeps;

    // Before, the holder has all streams.
    private const string UntilItSleeps = "until [ \"$(cat /proc/$!/comm)\" = sleep ]; do :; done;";

    // The longest duration of a run that does not wait for a holder of 1000 seconds.
    private static readonly TimeSpan s_generous = TimeSpan.FromMinutes(5);

    private readonly Trace _trace = new();

    public void Dispose() => _trace.Dispose();

    [Theory]
    [InlineData(Silent, true, true)]
    [InlineData(Writing, true, true)]
    [InlineData(InItsOwnSession, true, true)]
    [InlineData(OfErrorOnly, false, true)]
    [InlineData(OfInputOnly, false, false)]
    public void Result_OfChildWhoseStreamsAreHeld_HasTheCodeAndAllBytesAndTellsWhichAreHeld(
        string holder, bool outputIsHeld, bool errorIsHeld) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell($"{holder} seq 1 20000; echo err >&2; exit 7") with
        {
            DrainGrace = TimeSpan.FromMilliseconds(300),
            Environment = _trace.Variables,
        };
        Stopwatch watch = Stopwatch.StartNew();
        ProcessResult result = command.Run();
        watch.Elapsed.Should().BeLessThan(s_generous);
        if (outputIsHeld || errorIsHeld)
        {
            watch.Elapsed.Should().BeGreaterThan(TimeSpan.FromMilliseconds(290));
        }

        (result.Outcome, result.ExitCode, result.StoppedBy).Should().Be((ProcessOutcome.Exited, 7, StopCause.None));
        // The holder's text may be in the middle of a line, between two writes of the child.
        string own = result.StandardOutput.Text.Replace("more\n", "", StringComparison.Ordinal);
        (own == string.Concat(Enumerable.Range(1, 20_000).Select(i => $"{i}\n")))
            .Should().BeTrue("every byte is there");
        result.StandardError.Text.Should().Be("err\n");
        result.StandardOutput.IsHeldOpen.Should().Be(outputIsHeld);
        result.StandardError.IsHeldOpen.Should().Be(errorIsHeld);
        result.SurvivingDescendants.Should().OnlyHaveUniqueItems();
        (result.SurvivingDescendants.Count > 0).Should().Be(outputIsHeld || errorIsHeld);
    });

    // The grace never restarts: otherwise, the writer would postpone its end forever.
    [Fact]
    public void DrainGrace_IsAbsolute_HoweverMuchTheHolderWrites() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell($"{Writing} exit 7") with
        {
            DrainGrace = TimeSpan.FromMilliseconds(500),
            IdleTimeout = TimeSpan.FromSeconds(100),
            Environment = _trace.Variables,
        };
        Stopwatch watch = Stopwatch.StartNew();
        ProcessResult result = command.Run();
        watch.Elapsed.Should().BeGreaterThan(TimeSpan.FromMilliseconds(490)).And.BeLessThan(s_generous);
        result.StandardOutput.IsHeldOpen.Should().BeTrue();
        result.StandardOutput.TotalBytes.Should().BeGreaterThan(0);
    });

    [Fact]
    public void DrainGrace_OfZero_TakesWhatIsThere() => Guard.Run(() =>
    {
        for (int round = 0; round < 50; round++)
        {
            ProcessCommand command = TestPrograms.Shell($"{Silent} seq 1 5000; echo err >&2; exit 7") with
            {
                DrainGrace = TimeSpan.Zero,
                Descendants = DescendantPolicy.KillAlways,
                Environment = _trace.Variables,
            };
            ProcessResult result = command.Run();
            result.ExitCode.Should().Be(7);
            result.StandardOutput.Lines().Should().HaveCount(5000);
            result.StandardError.Text.Should().Be("err\n");
        }
    });

    // Nothing is read for a receiver that accepts nothing. At the end, everything that the holder has written by then
    // is read.
    [Fact]
    public void Stop_WhileAHolderWaitsForASlowReceiver_TakesWhatIsThere() => Guard.Run(() =>
    {
        using ManualResetEventSlim mayRead = new();
        ProcessCommand command = TestPrograms.Shell("yes & exit 7") with
        {
            StandardOutput = OutputTarget.ToLines(_ => mayRead.Wait()),
            DrainGrace = Timeout.InfiniteTimeSpan,
            Descendants = DescendantPolicy.Leave,
            Environment = _trace.Variables,
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => !child.Signal(PosixSignal.SIGCONT), "the child has ended");
        int holder = _trace.Live().Single().Id;
        long written = StreamingSupport.WrittenOnceBlocked(holder);
        Task<ProcessResult> stop = child.StopAsync();
        mayRead.Set();
        stop.Result.StandardOutput.TotalBytes.Should().BeGreaterThanOrEqualTo(written);
    });

    [Fact]
    public void DrainGrace_OfZeroWithAHolderLeft_ReturnsWithIt() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell($"{Silent} seq 1 5000; exit 7") with
        {
            DrainGrace = TimeSpan.Zero,
            Descendants = DescendantPolicy.Leave,
            Environment = _trace.Variables,
        };
        ProcessResult result = command.Run();
        result.StandardOutput.Lines().Should().HaveCount(5000);
        result.StandardOutput.IsHeldOpen.Should().BeTrue();
        result.SurvivingDescendants.Should().BeEmpty("the policy looks for none");
        _trace.Live().Should().NotBeEmpty();
    });

    [Fact]
    public void DrainGrace_WithoutEnd_WaitsForTheHolder() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        ProcessCommand command = TestPrograms.Shell("(read line <\"$1\"; echo late) & echo early; exit 7", go) with
        {
            DrainGrace = Timeout.InfiniteTimeSpan,
            Environment = _trace.Variables,
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => !ProcFs.IsAlive(child.ProcessId), "the child has exited");
        child.TryWait(TimeSpan.FromMilliseconds(200), out _).Should().BeFalse();
        File.AppendAllText(go, "go\n");
        ProcessResult result = child.Wait();
        (result.ExitCode, result.StandardOutput.Text, result.StandardOutput.IsHeldOpen)
            .Should().Be((7, "early\nlate\n", false));
    });

    // The child has ended by itself, so this is not a stop: the limit only ends the wait for the rest.
    [Fact]
    public void Timeout_DuringTheDrain_EndsItAndIsNoStop() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessCommand command = TestPrograms.Shell($"{Silent} echo out; exit 7") with
        {
            DrainGrace = Timeout.InfiniteTimeSpan,
            Timeout = limit,
            Environment = _trace.Variables,
        };
        ProcessResult result = command.Run();
        (result.Outcome, result.ExitCode, result.StandardOutput.Text).Should().Be((ProcessOutcome.Exited, 7, "out\n"));
        result.StandardOutput.IsHeldOpen.Should().BeTrue();
    }));

    [Fact]
    public void StoppedChild_WhoseOutputIsHeldByOneThatCannotBeFound_EndsAllTheSame() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.Fifo("ready");
        ProcessCommand command = TestPrograms.Shell(
            "env -i LIFE_TEST=\"$LIFE_TEST\" setsid sh -c 'echo ready >\"$0\"; exec sleep 1000' \"$1\" & "
            + "echo out; exec sleep 1000",
            ready) with
        {
            Environment = _trace.Variables,
        };
        using ChildProcess child = command.Start();
        File.ReadAllText(ready);
        Eventually.Is(
            () => _trace.Live().Any(entry => entry.Name == "sleep" && entry.Id == child.ProcessId),
            "the child is a sleep");
        Stopwatch watch = Stopwatch.StartNew();
        ProcessResult result = child.Stop();
        watch.Elapsed.Should().BeLessThan(s_generous);
        (result.Outcome, result.SignalNumber, result.StandardOutput.Text)
            .Should().Be((ProcessOutcome.Canceled, 15, "out\n"));
        result.StandardOutput.IsHeldOpen.Should().BeTrue();
        result.SurvivingDescendants.Should().BeEmpty("it cannot be found");
        _trace.Live().Should().HaveCount(1);
    });
}
