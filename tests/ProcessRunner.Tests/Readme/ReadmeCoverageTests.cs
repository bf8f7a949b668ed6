using System;
using System.Linq;
using System.Reflection;
using FluentAssertions;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Readme;

/// <summary>
/// Verifies that each target, source and policy occurs in an example. The examples are compiled and run.
/// </summary>
[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed class ReadmeCoverageTests
{
    [Fact]
    public void EveryTargetAndSource_StandsInAnExample()
    {
        string examples = string.Join('\n', CodeSample.InDocuments().Select(sample => sample.Code));
        string[] names =
        [
            .. new[] { typeof(OutputTarget), typeof(InputSource) }.SelectMany(type => type
                .GetMembers(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly)
                .Where(member => member is PropertyInfo or MethodInfo { IsSpecialName: false })
                .Select(member => $"{type.Name}.{member.Name}")),
            .. Enum.GetNames<CapturePolicy>()
                .Where(name => name != nameof(CapturePolicy.KeepHeadAndTail))
                .Select(name => $"{nameof(CapturePolicy)}.{name}"),
        ];
        names.Should().HaveCountGreaterThan(18);
        names.Where(name => !examples.Contains(name, StringComparison.Ordinal)).Should().BeEmpty();
    }
}
