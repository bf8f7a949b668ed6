using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>Verifies a process that lacks the memory for a child's output.</summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class MemoryTests
{
    [Fact]
    public void Child_WhoseOutputIsMoreThanTheHeapMayHave_IsStoppedAndTheHostGoesOn() =>
        Guard.Run(() => HostProcess.PlayWith("DOTNET_GCHeapHardLimit=0x6000000 exec \"$@\"", "heap-limit"));

    [Fact]
    public void Stop_ThatLacksMemory_IsMadeLaterForTheSameReasonAndWithoutHaste() =>
        Guard.Run(() => HostProcess.Play("stops-without-memory"));

    [Fact]
    public void Interrupt_ThatLacksMemory_ReachesTheChildrenNevertheless() =>
        Guard.Run(() => HostProcess.Play("interrupts-without-memory"));

    [Fact]
    public void Reader_ThatLacksMemoryForTheNextLines_IsToldAndLosesNone() =>
        Guard.Run(() => HostProcess.Play("lines-without-memory"));
}
