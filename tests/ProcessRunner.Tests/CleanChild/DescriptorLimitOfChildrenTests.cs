using System;
using System.Runtime.InteropServices;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>
/// .NET raises this process's soft limit of descriptors to the hard one when it starts; a child gets the one before, where that
/// can be known.
/// </summary>
public sealed class DescriptorLimitOfChildrenTests
{
    private static readonly bool s_canRestore =
        RuntimeInformation.ProcessArchitecture == Architecture.X64 && Environment.GetEnvironmentVariable("USE_POSIX_SPAWN") is null;

    // The shell stays, as the host's parent.
    [Fact]
    public void Children_OfAHostWhoseLimitWasRaised_GetTheOneThatItBeganWith() => Guard.Run(() => HostProcess.PlayWith(
        "ulimit -Sn 512; ulimit -Hn 4096; \"$@\"; exit $?",
        "descriptor-limit-of-children",
        s_canRestore ? "512" : "4096", "4096"));

    // Its parent's limits tell nothing, since it has others.
    [Fact]
    public void Children_OfAHostWhoseLimitsAreNotItsParents_GetItsOwn() => Guard.Run(() => HostProcess.PlayWith(
        "ulimit -Sn 512; ulimit -Hn 4096; exec \"$@\"", "descriptor-limit-of-children", "4096", "4096"));
}
