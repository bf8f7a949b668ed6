using System;
using FluentAssertions;
using ProcessRunner.TestSupport;

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

    /// <summary>
    /// Returns whether a stop has ended the child: by SIGTERM or SIGKILL, and on Windows with an exit code.
    /// </summary>
    public static bool WasEndedByAStop(this ProcessResult result) =>
        OperatingSystem.IsWindows()
            ? result is { ExitCode: not null and not 0, SignalNumber: null }
            : result is { ExitCode: null, SignalNumber: NativeMethods.SIGTERM or NativeMethods.SIGKILL };
}
