using System;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>
/// Verifies the soft descriptor limit of children. .NET raises the soft limit of this process to the hard limit at the
/// start. A child gets the previous soft limit if it can be determined.
/// </summary>
[OnlyOn(Systems.Linux, "limits of descriptors")]
[NativeBackend(".NET passes on its own limit of descriptors")]
public sealed class DescriptorLimitOfChildrenTests
{
    private static readonly bool s_canRestore =
        Environment.GetEnvironmentVariable("USE_POSIX_SPAWN") is null;

    // The shell stays as the host's parent.
    [Fact]
    public void Children_OfAHostWhoseLimitWasRaised_GetTheOneThatItBeganWith() => Guard.Run(() => HostProcess.PlayWith(
        "ulimit -Sn 512; ulimit -Hn 4096; \"$@\"; exit $?",
        "descriptor-limit-of-children",
        s_canRestore ? "512" : "4096", "4096"));

    // The parent's limits reveal nothing, because they differ.
    [Fact]
    public void Children_OfAHostWhoseLimitsAreNotItsParents_GetItsOwn() => Guard.Run(() => HostProcess.PlayWith(
        "ulimit -Sn 512; ulimit -Hn 4096; exec \"$@\"", "descriptor-limit-of-children", "4096", "4096"));
}
