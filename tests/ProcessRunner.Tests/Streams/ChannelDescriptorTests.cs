using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams;

/// <summary>Verifies that the pipes of channels are closed; it counts the descriptors of this process.</summary>
[OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
[NativeBackend("the portable backend has no channels")]
[Collection(Alone.Name)]
public sealed class ChannelDescriptorTests
{
    [Fact]
    public void Start_ThatFails_LeavesNoDescriptor() => Guard.Run(() =>
    {
        Fail();
        int before = ProcFs.OpenDescriptors;
        for (int i = 0; i < 20; i++)
        {
            Fail();
        }

        Eventually.Is(() => ProcFs.OpenDescriptors <= before, "no more descriptors are open than before");
    });

    private static void Fail() =>
        FluentActions.Invoking(() => new ProcessCommand("/no/such/program")
            .WithChannel(3, OutputTarget.Capture()).WithChannel(9, OutputTarget.Capture()).Run())
            .Should().Throw<ProcessStartException>();
}
