using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Descendants;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Start;

[OnlyOn(Systems.Linux, "the Linux backend itself")]
[Collection(Alone.Name)]
[SupportedOSPlatform("linux")]
[NativeBackend("the Linux backend itself")]
public sealed class LowDescriptorPoolTests
{
    private const int High = 300;

    // Engines of earlier tests have descriptors of the null device as well.
    public LowDescriptorPoolTests() => Garbage.LetGo();

    [Fact]
    public void RentFor_ALowNumber_IsNoneAndTakesThoseOfOneStart() => Guard.Run(() =>
    {
        using LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        int before = ProcFs.NullDevices;
        near.RentFor(255, 255).Should().BeNull();
        near.RentFor(10, 10).Should().BeNull();
        ProcFs.NullDevices.Should().Be(before + 3);
    });

    [Fact]
    public void RentFor_ANumberBehindAJumpOfTheTable_LendsWhatWasTakenBefore() => Guard.Run(() =>
    {
        using LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        near.RentFor(10, 10).Should().BeNull();
        List<int> crowd = [.. Enumerable.Range(0, 2000).Select(_ => NativeMethods.Open("/dev/null", 0))];
        LowDescriptorPool.Lease lease = near.RentFor(crowd[^1], crowd[^1])!;
        int[] numbers = [.. Enumerable.Range(0, 3).Select(index => lease.Hold(index, crowd[^1]))];
        numbers.Should().OnlyContain(number => number < crowd[0]);
        lease.Return();
        crowd.ForEach(descriptor => NativeMethods.Close(descriptor).Should().Be(0));
    });

    [Fact]
    public void GuardianThatLacksADescriptor_GetsThoseThatAreReserved() => Guard.Run(() =>
    {
        const int EMFILE = 24;
        using LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        using LinuxFamily family = new(static _ => { }, Spawner.Shared, near, hasGuardian: false);
        near.RentFor(10, 10).Should().BeNull();
        int before = ProcFs.NullDevices;
        int refusals = 0;
        FaultPoint.Decide = call => call == "memfd_create" && refusals++ == 0 ? EMFILE : 0;
        try
        {
            family.Guard([]);
        }
        finally
        {
            FaultPoint.Decide = null;
        }

        refusals.Should().Be(2);
        ProcFs.NullDevices.Should().Be(before - 3);
        family.EndGuard();
    });

    [Fact]
    public void RentFor_WhereNoLowNumberIsFree_IsNone() => Guard.Run(() =>
    {
        using LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        List<int> crowd = [.. Enumerable.Range(0, 1200).Select(_ => NativeMethods.Open("/dev/null", 0))];
        int before = ProcFs.NullDevices;
        near.RentFor(crowd[^1], crowd[^1]).Should().BeNull();
        ProcFs.NullDevices.Should().Be(before);
        crowd.ForEach(descriptor => NativeMethods.Close(descriptor).Should().Be(0));
    });

    [Fact]
    public void RentFor_OnceLowNumbersAreFreeAgain_TakesThem() => Guard.Run(() =>
    {
        using LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        List<int> crowd = [.. Enumerable.Range(0, 1200).Select(_ => NativeMethods.Open("/dev/null", 0))];
        near.RentFor(crowd[^1], crowd[^1]).Should().BeNull();
        near.RentFor(crowd[^1], crowd[^1]).Should().BeNull();
        crowd.ForEach(descriptor => NativeMethods.Close(descriptor).Should().Be(0));
        int before = ProcFs.NullDevices;
        near.RentFor(10, 10).Should().BeNull();
        ProcFs.NullDevices.Should().Be(before + 3);

        crowd = [.. Enumerable.Range(0, 2000).Select(_ => NativeMethods.Open("/dev/null", 0))];
        LowDescriptorPool.Lease lease = near.RentFor(crowd[^1], crowd[^1])!;
        lease.Hold(0, crowd[^1]).Should().BeLessThan(crowd[0]);
        lease.Return();
        crowd.ForEach(descriptor => NativeMethods.Close(descriptor).Should().Be(0));
        near.RentFor(10, 10).Should().BeNull();
        near.RentFor(High, High)!.Return();
        ProcFs.NullDevices.Should().Be(before + 24, "those of eight starts are low by now");
    });

    // A process whose first start comes in a crowd has a high null device for good.
    [Fact]
    public void RentFor_AHighNullDeviceAndALowPipe_TakesLowNumbersAfterAFailure() => Guard.Run(() =>
    {
        using LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        List<int> crowd = [.. Enumerable.Range(0, 1200).Select(_ => NativeMethods.Open("/dev/null", 0))];
        near.RentFor(High, crowd[^1]).Should().BeNull();
        crowd.ForEach(descriptor => NativeMethods.Close(descriptor).Should().Be(0));
        near.RentFor(High, crowd[^1]).Should().BeNull("nothing shows that low numbers are free");
        near.RentFor(High, given: 10)!.Return();
    });

    [Fact]
    public void GiveUp_ClosesWhatIsNotLent_AndNothingIsTakenAnyMore() => Guard.Run(() =>
    {
        using LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        int before = ProcFs.NullDevices;
        near.GiveUp().Should().BeFalse();
        near.RentFor(High, High).Should().BeNull();
        ProcFs.NullDevices.Should().Be(before);

        using LowDescriptorPool other = new(Spawner.Shared.NullDevice);
        LowDescriptorPool.Lease lent = other.RentFor(High, High)!;
        other.GiveUp().Should().BeTrue();
        other.GiveUp().Should().BeFalse();
        ProcFs.NullDevices.Should().Be(before + 3);
        lent.Return();
        ProcFs.NullDevices.Should().Be(before);
    });

    [Fact]
    public void RentFor_MoreStartsThanThereAreNumbersFor_IsNoneAndDoesNotWait() => Guard.Run(() =>
    {
        using LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        List<LowDescriptorPool.Lease> rented = [.. Enumerable.Range(0, 8).Select(_ => near.RentFor(High, High)!)];
        rented.Should().OnlyHaveUniqueItems().And.NotContainNulls();
        near.RentFor(High, High).Should().BeNull();

        rented[5].Return();
        near.RentFor(High, High).Should().BeSameAs(rented[5]);
        rented.ForEach(lease => lease.Return());
    });

    [Fact]
    public void Hold_MakesTheLowNumberStandForTheDescriptor_UntilItIsReturned() => Guard.Run(() =>
    {
        using LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        LowDescriptorPool.Lease lease = near.RentFor(High, High)!;
        int descriptor = NativeMethods.Open("/dev/zero", 0);
        int number = lease.Hold(1, descriptor);
        number.Should().BeLessThan(descriptor);
        Target(number).Should().Be("/dev/zero");

        lease.Hold(2, 0).Should().Be(0, "that is low enough itself");
        lease.Return();
        Target(number).Should().Be("/dev/null");
        NativeMethods.Close(descriptor).Should().Be(0);
    });

    [Fact]
    public void Hold_OfADescriptorThatIsNone_LeavesItAlone() => Guard.Run(() =>
    {
        using LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        LowDescriptorPool.Lease lease = near.RentFor(High, High)!;
        lease.Hold(0, int.MaxValue).Should().Be(int.MaxValue);
        lease.Return();
    });

    [Fact]
    public void Dispose_ClosesWhatIsNotLentAndTheRestWhenItComesBack() => Guard.Run(() =>
    {
        LowDescriptorPool near = new(Spawner.Shared.NullDevice);
        int before = ProcFs.NullDevices;
        LowDescriptorPool.Lease lent = near.RentFor(High, High)!;
        ProcFs.NullDevices.Should().Be(before + 24);
        near.Dispose();
        ProcFs.NullDevices.Should().Be(before + 3);
        lent.Return();
        ProcFs.NullDevices.Should().Be(before);
        near.RentFor(High, High).Should().BeNull();
    });

    private static string? Target(int descriptor) => new FileInfo($"/proc/self/fd/{descriptor}").LinkTarget;
}
