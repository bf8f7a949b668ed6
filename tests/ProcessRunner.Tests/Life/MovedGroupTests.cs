using System;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Verifies a child that leaves the group that it was given for another group, such as ours. A stop still reaches the
/// child, and does not affect the other members of the group that it has joined.
/// </summary>
[OnlyOn(Systems.Linux, "process groups and /proc")]
[NativeBackend(".NET starts a child in the group of this process")]
public sealed class MovedGroupTests : IDisposable
{
    private const string Sleep = "600000";

    private readonly TemporaryDirectory _directory = new();
    private readonly Trace _trace = new();

    public void Dispose()
    {
        _trace.Dispose();
        _directory.Dispose();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(600_000)]
    public void ChildThatHasLeftItsGroupEmpty_IsStopped(int graceMilliseconds) => Guard.Run(() =>
    {
        ProcessResult result =
            Stop(TestPrograms.Child("parents-group", "touch", Ready, "sleep", Sleep), graceMilliseconds);
        result.SignalNumber.Should().Be(graceMilliseconds == 0 ? 9 : 15);
    });

    [Fact]
    public void Timeout_OfChildThatHasLeftItsGroup_Holds() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessCommand command = TestPrograms.Child("ignore", "TERM", "parents-group", "sleep", Sleep) with
        {
            Timeout = limit,
            StopGrace = TimeSpan.FromMilliseconds(100),
        };
        using ChildProcess child = command.Start();
        child.TryWait(TimeSpan.FromMinutes(2), out ProcessResult? result).Should().BeTrue($"the limit is {limit}");
        (result!.Outcome, result.SignalNumber).Should().Be((ProcessOutcome.TimedOut, 9));
    }));

    [Theory]
    [InlineData(0)]
    [InlineData(600_000)]
    public void ChildThatHasLeftAMemberInItsGroup_IsStoppedWithIt(int graceMilliseconds) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "sleep 1000 & exec \"$@\"", [TestPrograms.TestChildPath, "parents-group", "touch", Ready, "sleep", Sleep]);
        Stop(command, graceMilliseconds).SignalNumber.Should().Be(graceMilliseconds == 0 ? 9 : 15);
    });

    // The child's own child is in our group as well: only the mark distinguishes it from us.
    [Theory]
    [InlineData(0)]
    [InlineData(600_000)]
    public void ChildThatForksInTheGroupItHasJoined_IsStoppedWithItsChild(int graceMilliseconds) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Child(
            "parents-group", "spawn", "touch", Ready, "sleep", Sleep, "end", "sleep", Sleep);
        Stop(command, graceMilliseconds);
    });

    // A program that treats a second signal as "at once" must not get one that nobody sent.
    [Theory]
    [InlineData(ProcessGroupMode.Own)]
    [InlineData(ProcessGroupMode.Session)]
    [InlineData(ProcessGroupMode.Inherit)]
    public void StopSignal_OfChildThatStaysInItsGroup_ComesOnce(ProcessGroupMode mode) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "trap 'echo got; echo >\"$2\"' TERM; echo >\"$1\"; until [ -e \"$3\" ]; do :; done",
            Ready,
            _directory.At("got"),
            _directory.At("go")) with
        {
            GroupMode = mode,
            StopGrace = TimeSpan.FromHours(1),
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => File.Exists(Ready), "the trap is set");
        Thread stopper = new(() => child.Stop());
        stopper.Start();
        Eventually.Is(() => File.Exists(_directory.At("got")), "the signal has come");
        _directory.File("go");
        stopper.Join();
        child.Wait().StandardOutput.Text.Should().Be("got\n");
    });

    private string Ready => _directory.At("ready");

    private ProcessResult Stop(ProcessCommand command, int graceMilliseconds)
    {
        using ChildProcess child = (command with { Environment = _trace.Variables }).Start();
        Eventually.Is(() => File.Exists(Ready), "the child has moved");
        ProcFs.All().Single(entry => entry.Id == child.ProcessId).GroupId.Should().NotBe(child.ProcessId);
        Thread stopper = new(() => child.Stop(TimeSpan.FromMilliseconds(graceMilliseconds)));
        stopper.Start();
        bool isStopped = child.TryWait(TimeSpan.FromMinutes(5), out ProcessResult? result);
        string live = _trace.Describe();
        _trace.Dispose();
        stopper.Join();
        isStopped.Should().BeTrue("a stop reaches the child where it is");
        live.Should().BeEmpty();
        result!.Outcome.Should().Be(ProcessOutcome.Canceled);
        return result;
    }
}
