using System;
using FluentAssertions;

namespace ProcessRunner.Tests.StartErrors;

/// <summary>Checks the error of a start that must not succeed.</summary>
internal static class StartFailure
{
    public static ProcessStartException Of(ProcessCommand command)
    {
        Action start = () => command.Start().Dispose();
        return start.Should().ThrowExactly<ProcessStartException>().Which;
    }

    /// <summary>Verifies the common properties of every such error.</summary>
    public static void ShouldBe(
        this ProcessStartException error, ProcessCommand command, ProcessStartStep step, int errno)
    {
        error.Step.Should().Be(step, error.Message);
        error.NativeErrorCode.Should().Be(errno, error.Message);
        error.FileName.Should().Be(command.FileName);
        error.WorkingDirectory.Should().Be(command.WorkingDirectory);
        string kind = OperatingSystem.IsWindows() ? "error" : "errno";
        error.Message.Should().Contain($"'{command.FileName}'").And.Contain($"{kind} {errno}");
        if (command.WorkingDirectory is string directory)
        {
            error.Message.Should().Contain($"'{directory}'");
        }
    }
}
