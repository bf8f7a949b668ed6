using System;
using FluentAssertions;
using ProcessRunner.Backends;
using Xunit;

namespace ProcessRunner.Tests.Results;

/// <summary>Verifies how a result names the codes with which Windows ends a process.</summary>
public sealed class ExitCodeMeaningTests
{
    [Theory]
    [InlineData(0xC0000005, "Exited, exit code -1073741819 (0xC0000005, access violation)")]
    [InlineData(0xC000013A, "Exited, exit code -1073741510 (0xC000013A, ended by Ctrl-C or Ctrl-Break)")]
    [InlineData(0xFFFFFFFF, "Exited, exit code -1")]
    [InlineData(259, "Exited, exit code 259")]
    public void ToString_WithCodeOfWindows_SaysWhatItMeans(uint code, string expected)
    {
        ProcessResult result = new()
        {
            Command = new ProcessCommand("program"),
            ProcessId = 1,
            StoppedBy = StopCause.None,
            Status = ExitStatus.Exited(unchecked((int)code)),
            StandardOutput = CapturedOutput.Empty,
            StandardError = CapturedOutput.Empty,
            StartTime = DateTimeOffset.UnixEpoch,
            RunTime = TimeSpan.Zero,
            StartAttempts = 1,
            SurvivingDescendants = [],
        };
        result.ToString().Should().Be($"program: {expected}");
        result.ExitCode.Should().Be(unchecked((int)code));
    }
}
