using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>The process has no memory for what a child writes.</summary>
public sealed class MemoryTests
{
    [Fact]
    public void Child_WhoseOutputIsMoreThanTheHeapMayHave_IsStoppedAndTheHostGoesOn() =>
        Guard.Run(() => HostProcess.PlayWith("DOTNET_GCHeapHardLimit=0x6000000 exec \"$@\"", "heap-limit"));
}
