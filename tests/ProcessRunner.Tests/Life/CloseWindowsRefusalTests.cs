using System;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies that a stop by closing windows is refused where nothing can close them.</summary>
public sealed class CloseWindowsRefusalTests
{
    private static readonly ProcessCommand s_command =
        TestPrograms.Quick("return", "0") with { CloseWindowsOnStop = true };

    [Fact]
    public void PortableBackend_RefusesIt() => Guard.Run(() =>
    {
        using ProcessEngine portable = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        FluentActions.Invoking(() => s_command.Run(portable))
            .Should().Throw<PlatformNotSupportedException>().WithMessage("*CloseWindows*");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "Windows has windows")]
    public void OtherSystem_RefusesIt() => Guard.Run(() =>
        FluentActions.Invoking(() => s_command.Run())
            .Should().Throw<PlatformNotSupportedException>().WithMessage("*CloseWindows*"));
}
