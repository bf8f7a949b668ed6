using System;
using FluentAssertions;
using ProcessRunner.Backends;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

/// <summary>Verifies an engine that cannot be created before a batch has read its first command.</summary>
public sealed class EngineFailureTests
{
    [Fact]
    public void Error_WithoutACommand_NamesTheEngine()
    {
        const int TooManyOpenFiles = 24;

        ProcessStartException exception = new(
            command: null, new LaunchException(TooManyOpenFiles, LaunchStep.OutOfDescriptors, "no descriptor is free"));

        string kind = OperatingSystem.IsWindows() ? "error" : "errno";
        exception.Message.Should()
            .StartWith("Cannot start the engine: no descriptor is free. (").And.EndWith($", {kind} 24)");
        exception.FileName.Should().BeEmpty();
        exception.WorkingDirectory.Should().BeNull();
        exception.Step.Should().Be(ProcessStartStep.OutOfDescriptors);
        exception.IsTransient.Should().BeTrue();
    }
}
