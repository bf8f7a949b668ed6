using System;
using System.Runtime.Versioning;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Start;

/// <summary>Tests the lookup of users where the databases cannot be read.</summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[SupportedOSPlatform("linux")]
[Collection(Alone.Name)]
[NativeBackend("the Linux backend itself")]
public sealed class UserLookupTests
{
    // As musl answers where it cannot open the file of the groups: the count stays as it was. More room is no help.
    [Theory]
    [InlineData(Errno.TooManyOpenFiles, ProcessStartStep.OutOfDescriptors)]
    [InlineData(Errno.OutOfMemory, ProcessStartStep.OutOfResources)]
    [InlineData(Errno.AccessDenied, ProcessStartStep.BadIdentity)]
    public void Groups_ThatCannotBeRead_FailTheStartAtOnce(int error, ProcessStartStep step) => Guard.Run(() =>
    {
        const int Most = 5;
        int thread = Environment.CurrentManagedThreadId;
        int calls = 0;
        FaultPoint.Decide = call =>
            call == "getgrouplist" && Environment.CurrentManagedThreadId == thread && ++calls < Most ? error : 0;
        try
        {
            Action lookup = () => UserLookup.Resolve(new LaunchIdentity("root", 0, 0, ValueList<uint>.Empty));
            LaunchException failure = lookup.Should().Throw<LaunchException>().Which;
            failure.NativeErrorCode.Should().Be(error);
            ((ProcessStartStep)failure.Step).Should().Be(step);
            calls.Should().Be(1);
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });
}
