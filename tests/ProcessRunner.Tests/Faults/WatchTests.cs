using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>The kernel has no further watch for a descriptor of a child that runs.</summary>
public sealed class WatchTests
{
    [Fact]
    public void Children_ThatRunWhenTheWatchesAreUsedUp_GoOn() => Guard.Run(() => HostProcess.Play("no-more-watches"));
}
