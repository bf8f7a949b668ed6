using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Verifies a container's seccomp profile that allows pidfd_open and waitid, but not the call that signals a pidfd.
/// </summary>
[OnlyOn(Systems.Linux, "system calls that a filter hides")]
[NativeBackend(".NET sends no signal through a pidfd")]
public sealed class HiddenSignalCallTests
{
    private const int EPERM = 1;
    private const int ENOSYS = 38;

    [Theory]
    [InlineData(ENOSYS)]
    [InlineData(EPERM)]
    public void Children_WhereThePidFdCannotBeSignaled_AreSignaledAllTheSame(int error) =>
        Guard.Run(() => HostProcess.Play("hidden-signal-call", $"{error}"));
}
