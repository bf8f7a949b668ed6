using System.Runtime.CompilerServices;
using FluentAssertions;
using ProcessRunner.Backends.Windows;
using ProcessRunner.Backends.Windows.Start;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows;

/// <summary>
/// Verifies the search for windows where the system has none: Nano Server can lack user32.dll, as Unix does.
/// </summary>
[OnlyOn(Systems.Unix, "Windows has windows")]
public sealed class TopLevelWindowsTests
{
    [Fact]
    public void SystemWithoutWindows_HasNoneToClose() =>
        TopLevelWindows.TryClose((JobObject)RuntimeHelpers.GetUninitializedObject(typeof(JobObject)))
            .Should().BeFalse();
}
