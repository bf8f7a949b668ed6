using System;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows;

/// <summary>Verifies that the jobs of the children kill them if this process ends while the guard is active.</summary>
[OnlyOn(Systems.Windows, "handles, paths and semaphores of Windows")]
[NativeBackend("the subject is the Windows backend")]
public sealed class WindowsHostGuardTests
{
    [Fact]
    public void Jobs_KillTheirMembers_FromTheBeginOfTheGuardToItsEnd() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        ProcessCommand command = TestPrograms.Quick("sleep", "1000000") with { StopGrace = TimeSpan.Zero };
        using ChildProcess before = command.Start(engine);
        HostGuard guard = Internals.PartsOf(engine).Backend.HostGuard!;
        Internals.KillsOnClose(before).Should().BeFalse();
        guard.Begin();
        Internals.KillsOnClose(before).Should().BeTrue();
        using ChildProcess during = command.Start(engine);
        Internals.KillsOnClose(during).Should().BeTrue();
        guard.End();
        Internals.KillsOnClose(before).Should().BeFalse();
        Internals.KillsOnClose(during).Should().BeFalse();
        using ChildProcess after = command.Start(engine);
        Internals.KillsOnClose(after).Should().BeFalse();
    });
}
