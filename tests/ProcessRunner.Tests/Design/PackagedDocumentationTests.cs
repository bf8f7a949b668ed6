using System;
using System.Linq;
using System.Xml.Linq;
using FluentAssertions;
using Xunit;

namespace ProcessRunner.Tests.Design;

/// <summary>Verifies the documentation that users of the package get.</summary>
public sealed class PackagedDocumentationTests
{
    private static readonly string[] s_members =
    [
        .. XDocument.Load(AppContext.BaseDirectory + "ProcessRunner.xml")
            .Descendants("member")
            .Select(member => member.Attribute("name")!.Value),
    ];

    [Theory]
    [InlineData("T:ProcessRunner.BatchItem`1")]
    [InlineData("P:ProcessRunner.ProcessCommand.Arguments")]
    [InlineData("P:ProcessRunner.ResourceLimit.Soft")]
    [InlineData("F:ProcessRunner.StopCause.Dispose")]
    [InlineData("M:ProcessRunner.ProcessCommand.WithLimit(ProcessRunner.LimitedResource,ProcessRunner.ResourceLimit)")]
    [InlineData("M:ProcessRunner.ProcessArgument.op_Implicit(System.String)~ProcessRunner.ProcessArgument")]
    [InlineData("M:ProcessRunner.OutputTarget.ToBytes(ProcessRunner.OutputBytesCallback)")]
    public void Member_ThatUsersSee_IsDocumented(string name) => s_members.Should().Contain(name);

    [Fact]
    public void Member_OfTheInside_IsNot() => s_members.Should().NotContain(name =>
        name.Contains(".Backends.") || name.Contains(".Execution.") || name.Contains(".Streams.")
        || name.Contains("ProcessRunner.Interop") || name.Contains("._"));
}
