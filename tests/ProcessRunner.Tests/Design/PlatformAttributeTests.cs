using System;
using System.Linq;
using System.Reflection;
using System.Runtime.Versioning;
using FluentAssertions;
using Xunit;

namespace ProcessRunner.Tests.Design;

/// <summary>
/// Verifies that the members that a platform lacks say so, so that the analyzer warns before a start throws.
/// </summary>
public sealed class PlatformAttributeTests
{
    [Theory]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.ArgumentZero), "linux windows")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.Channels), "linux windows")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.WithChannel), "linux windows")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.KillOnParentExit), "linux windows")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.CloseWindowsOnStop), "windows")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.Priority), "linux windows")]
    [InlineData(typeof(OutputTarget), nameof(OutputTarget.ToHandle), "linux windows")]
    [InlineData(typeof(InputSource), nameof(InputSource.FromHandle), "linux windows")]
    [InlineData(typeof(ProcessGroupMode), nameof(ProcessGroupMode.Own), "linux windows")]
    [InlineData(typeof(ProcessGroupMode), nameof(ProcessGroupMode.Session), "linux windows")]
    [InlineData(typeof(DescendantPolicy), nameof(DescendantPolicy.Report), "linux windows")]
    [InlineData(typeof(DescendantPolicy), nameof(DescendantPolicy.KillAlways), "linux windows")]
    [InlineData(typeof(LimitedResource), nameof(LimitedResource.FileSize), "linux")]
    [InlineData(typeof(LimitedResource), nameof(LimitedResource.StackSize), "linux")]
    [InlineData(typeof(LimitedResource), nameof(LimitedResource.CoreDumpSize), "linux")]
    [InlineData(typeof(LimitedResource), nameof(LimitedResource.OpenFiles), "linux")]
    [InlineData(typeof(LimitedResource), nameof(LimitedResource.LockedMemory), "linux")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.Nice), "linux")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.Processors), "linux windows")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.Limits), "linux windows")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.WithLimit), "linux windows")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.FileModeMask), "linux")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.Identity), "linux")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.ProcessGroupId), "linux")]
    [InlineData(typeof(ProcessCommand), nameof(ProcessCommand.TextOf), "linux")]
    public void Member_ThatAPlatformLacks_NamesThoseThatHaveIt(Type type, string name, string platforms) =>
        type.GetMember(name).Single().GetCustomAttributes<SupportedOSPlatformAttribute>()
            .Select(attribute => attribute.PlatformName)
            .Should().BeEquivalentTo(platforms.Split(' '));
}
