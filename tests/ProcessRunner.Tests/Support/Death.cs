using System;
using FluentAssertions;

namespace ProcessRunner.Tests.Support;

/// <summary>Verifies how a child ended that was killed or stopped.</summary>
internal static class Death
{
    /// <summary>
    /// Verifies that a signal has ended the child. Windows has no signals, and the child has an exit code there.
    /// </summary>
    public static void ShouldHaveDiedOf(this ProcessResult result, int signal)
    {
        result.SignalNumber.Should().Be(OperatingSystem.IsWindows() ? null : signal);
        result.IsSuccess.Should().BeFalse();
    }
}
