using System;
using System.Globalization;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies that the children that have the option end with their host, and no others.</summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Linux, "process groups and /proc")]
[NativeBackend(".NET has nothing that outlives this process")]
public sealed class KillOnParentExitTests
{
    [Fact]
    public void KilledHost_TakesThoseAlone() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new("host-of-one-killed", directory.At("ids"));
        HostWithTrace.WaitFor(directory.At("ids"));
        int[] ids =
        [
            .. File.ReadAllLines(directory.At("ids")).Select(line => int.Parse(line, CultureInfo.InvariantCulture)),
        ];
        ids.Should().HaveCount(5).And.OnlyContain(id => ProcFs.IsAlive(id));
        NativeMethods.Kill(host.Child.ProcessId, 9);
        host.Child.Wait();
        Eventually.Is(() => !ids[..3].Any(ProcFs.IsAlive), "those with the option end");
        ids[3..].Should().OnlyContain(id => ProcFs.IsAlive(id));
    });

    [Fact]
    public void Engine_HasNoGuardianForOthers_AndEndsTheOneThatItHas() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        TestPrograms.Quick("return", "0").Run(engine).EnsureSuccess();
        ProcFs.Children.Should().NotContain(child => child.Name == "sh");
        (TestPrograms.Quick("return", "0") with { KillOnParentExit = true }).Run(engine).EnsureSuccess();
        Eventually.Is(() => ProcFs.Children.Count(child => child.Name == "sh") == 1, "its guardian is a shell");
        engine.Dispose();
        ProcFs.Children.Should().NotContain(child => child.Name == "sh");
    });

    [Fact]
    public void PortableBackend_RefusesIt() => Guard.Run(() =>
    {
        using ProcessEngine portable = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        FluentActions.Invoking(() => (new ProcessCommand("true") { KillOnParentExit = true }).Run(portable))
            .Should().Throw<PlatformNotSupportedException>();
    });
}
