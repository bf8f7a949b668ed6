using System.Runtime.Versioning;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends;

[SupportedOSPlatform("linux")]
public sealed unsafe class SpawnThreadsTests
{
    [Fact]
    public void Rent_OfMoreThanThereMayBe_IsNoneAndDoesNotWait() => Guard.Run(() =>
    {
        using SpawnThreads threads = new(most: 2);
        SpawnThread first = threads.Rent()!;
        SpawnThread second = threads.Rent()!;
        threads.Rent().Should().BeNull();
        threads.Count.Should().Be(2);

        threads.Return(first);
        threads.Rent().Should().BeSameAs(first);
        threads.Return(first);
        threads.Return(second);
        threads.Count.Should().Be(2, "they are kept");
    });

    [Fact]
    public void Dispose_WhileOneIsLent_LeavesItUntilItIsGivenBack() => Guard.Run(() =>
    {
        SpawnThreads threads = new(most: 2);
        SpawnThread lent = threads.Rent()!;
        threads.Return(threads.Rent()!);
        threads.Dispose();
        threads.Count.Should().Be(1);
        StartTrue(lent);

        threads.Return(lent);
        threads.Count.Should().Be(0);
        threads.Rent().Should().BeNull();
    });

    [Fact]
    public void TryRun_WithADescriptorThatIsNone_DoesNothingAndHarmsNothing() => Guard.Run(() =>
    {
        using SpawnThreads threads = new(most: 1);
        SpawnThread thread = threads.Rent()!;
        SpawnRequest request = default;
        thread.TryRun(&request, -1, -1, -1).Should().BeFalse();
        request.ProcessId.Should().Be(0);
        StartTrue(thread);
        threads.Return(thread);
    });

    private static void StartTrue(SpawnThread thread)
    {
        PosixSpawner spawner = PosixSpawner.Shared;
        int none = spawner.NullDevice;
        byte* end = null;
        int processId = spawner.Spawn(new ProcessCommand("true"), "/bin/true", &end, none, none, none, thread);
        OwnedDescriptor pidfd = PidFd.OpenOrKill(processId);
        PidFd.Reap(pidfd.Number, out ResourceUse use);
        pidfd.Close();
        use.PeakWorkingSet.Should().BePositive();
    }
}
