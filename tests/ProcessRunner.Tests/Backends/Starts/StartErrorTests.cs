using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Starts;
using Xunit;

namespace ProcessRunner.Tests.Backends.Starts;

/// <summary>Verifies what the error numbers of Windows mean for a start, on every system.</summary>
public sealed class StartErrorTests
{
    [Theory]
    [InlineData(2, ProcessStartStep.NotFound, "does not exist")]
    [InlineData(3, ProcessStartStep.NotFound, "does not exist")]
    [InlineData(4, ProcessStartStep.OutOfDescriptors, "handles")]
    [InlineData(5, ProcessStartStep.NotExecutable, "may not be executed")]
    [InlineData(8, ProcessStartStep.OutOfResources, "memory")]
    [InlineData(32, ProcessStartStep.Busy, "open for writing")]
    [InlineData(193, ProcessStartStep.BadFormat, "not a program for this machine")]
    [InlineData(206, ProcessStartStep.TooLarge, "longer")]
    [InlineData(216, ProcessStartStep.BadFormat, "not a program for this machine")]
    [InlineData(267, ProcessStartStep.BadDirectory, "does not exist")]
    [InlineData(740, ProcessStartStep.NotExecutable, "administrator")]
    [InlineData(1450, ProcessStartStep.OutOfResources, "memory")]
    [InlineData(1455, ProcessStartStep.OutOfResources, "memory")]
    [InlineData(1816, ProcessStartStep.OutOfResources, "quota")]
    public void NumberOfWindows_HasItsStepAndItsReason(int error, ProcessStartStep step, string reason)
    {
        (LaunchStep actual, string? text) = StartError.OfWindows(error);
        actual.Should().Be((LaunchStep)step);
        text.Should().Contain(reason);
    }

    [Fact]
    public void OtherNumber_IsExplainedByTheSystem() =>
        StartError.OfWindows(1449).Should().Be((LaunchStep.Other, (string?)null));
}
