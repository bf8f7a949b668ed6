using System.Globalization;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class ExitCodeTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(9)]
    [InlineData(126)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(137)]
    [InlineData(143)]
    [InlineData(254)]
    [InlineData(255)]
    public void ExitCode_OfChildThatExits_IsExact(int code) => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Quick("return", code.ToString(CultureInfo.InvariantCulture)).Run();
        result.Outcome.Should().Be(ProcessOutcome.Exited);
        result.ExitCode.Should().Be(code);
        result.Signal.Should().BeNull();
        result.SignalNumber.Should().BeNull();
        result.CoreDumped.Should().BeFalse();
        result.IsSuccess.Should().Be(code == 0);
        result.ToString().Should().EndWith($"Exited, exit code {code}");
    });

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, true)]
    [InlineData(3, true)]
    [InlineData(2, false)]
    public void IsSuccess_WithExitCodes_IsWhatTheySay(int code, bool expected) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("return", $"{code}") with { ExitCodes = [1, 3] };
        command.Run().IsSuccess.Should().Be(expected);
    });

    [Fact]
    public void IsSuccess_WithNoExitCodes_IsNever() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick() with { ExitCodes = [] };
        command.Run().IsSuccess.Should().BeFalse();
    });

    [Fact]
    public void Result_OfRun_NamesCommandAndProcess() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("pid");
        ProcessResult result = command.Run();
        result.Command.Should().BeSameAs(command);
        result.StandardOutput.Text.Should().Be($"{result.ProcessId}\n");
    });
}
