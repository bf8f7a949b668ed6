using System;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>
/// Verifies that each run ends with the right result or a typed error and leaves nothing behind, whichever system call
/// fails with whichever error. A host repeats each run hundreds of times, and another call fails each time.
/// </summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class FaultSweepTests
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(8);

    [Theory]
    [InlineData("capture")]
    [InlineData("async")]
    [InlineData("spill")]
    [InlineData("callbacks")]
    [InlineData("input")]
    [InlineData("written-input")]
    [InlineData("live")]
    [InlineData("stop")]
    [InlineData("held")]
    [InlineData("batch")]
    [InlineData("stopped-batch")]
    [InlineData("pipeline")]
    [InlineData("async-pipeline")]
    [InlineData("executor")]
    [InlineData("dispose")]
    [InlineData("guardian")]
    [InlineData("channels")]
    [InlineData("settings")]
    [InlineData("guardian-of-one")]
    [InlineData("user-callbacks")]
    [InlineData("user-input")]
    [InlineData("user-stop")]
    [InlineData("user-batch")]
    [InlineData("user-pipeline")]
    [InlineData("user-lines")]
    public void EachCallThatFails_IsDataOrATypedError(string run) =>
        Guard.Run(s_limit, () => HostProcess.Play("fault-sweep", run));

    [Theory]
    [InlineData("capture")]
    [InlineData("stop")]
    [InlineData("batch")]
    [InlineData("channels")]
    public void EachCallThatFails_WhereChildrenStartByPosixSpawn_IsDataOrATypedError(string run) =>
        Guard.Run(s_limit, () => HostProcess.PlayWith("USE_POSIX_SPAWN=1 exec \"$@\"", "fault-sweep", run));
}
