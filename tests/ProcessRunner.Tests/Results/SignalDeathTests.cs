using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Results;

[OnlyOn(Systems.Linux, "deaths by signals")]
[NativeBackend(".NET reports a death by a signal as an exit code")]
public sealed class SignalDeathTests
{
    [Theory]
    [InlineData(1, PosixSignal.SIGHUP)]
    [InlineData(2, PosixSignal.SIGINT)]
    [InlineData(9, (PosixSignal)9)]
    [InlineData(10, (PosixSignal)10)]
    [InlineData(13, (PosixSignal)13)]
    [InlineData(15, PosixSignal.SIGTERM)]
    [InlineData(34, (PosixSignal)34)]
    [InlineData(64, (PosixSignal)64)]
    public void Signal_OfChildThatASignalEnded_IsExact(int number, PosixSignal signal) => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell($"kill -{number} $$").Run();
        result.Outcome.Should().Be(ProcessOutcome.Signaled);
        result.SignalNumber.Should().Be(number);
        result.Signal.Should().Be(signal);
        result.ExitCode.Should().BeNull();
        result.CoreDumped.Should().BeFalse();
        result.IsSuccess.Should().BeFalse();
        result.ToString().Should().Contain($"Signaled, signal {number}");
    });

    [Fact]
    public void ExitCode9And137_AreNotDeathBySigkill() => Guard.Run(() =>
    {
        ProcessResult nine = TestPrograms.Shell("exit 9").Run();
        ProcessResult shellNotation = TestPrograms.Shell("sh -c 'kill -9 $$'").Run();
        ProcessResult killed = TestPrograms.Shell("kill -9 $$").Run();
        (nine.ExitCode, nine.SignalNumber).Should().Be((9, null));
        (shellNotation.ExitCode, shellNotation.SignalNumber).Should().Be((137, null));
        (killed.ExitCode, killed.SignalNumber).Should().Be((null, 9));
    });

    [Theory]
    [InlineData(3)]
    [InlineData(6)]
    [InlineData(11)]
    public void CoreDumped_WithoutRoomForACore_IsFalse(int number) => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell($"ulimit -c 0; kill -{number} $$").Run();
        result.SignalNumber.Should().Be(number);
        if (!File.ReadAllText("/proc/sys/kernel/core_pattern").StartsWith('|'))
        {
            result.CoreDumped.Should().BeFalse();
        }
    });

    [Theory]
    [InlineData(3)]
    [InlineData(6)]
    [InlineData(11)]
    public void CoreDumped_WithRoomForACore_IsTrueExactlyIfThereIsOne(int number) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = TestPrograms.Shell($"ulimit -c unlimited 2>/dev/null; kill -{number} $$");
        ProcessResult result = (command with { WorkingDirectory = directory }).Run();
        result.SignalNumber.Should().Be(number);

        // Other kernel settings pass the core to a program or put it where the test does not see it.
        if (File.ReadAllText("/proc/sys/kernel/core_pattern")[0] is not ('|' or '/'))
        {
            result.CoreDumped.Should().Be(Directory.EnumerateFiles(directory).Any());
            result.ToString().EndsWith("(core dumped)", System.StringComparison.Ordinal).Should().Be(result.CoreDumped);
        }
    });
}
