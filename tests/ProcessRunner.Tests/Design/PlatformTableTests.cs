using System;
using System.IO;
using System.Reflection;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Design;

/// <summary>Verifies that the documents tell on which platforms the tests hold, as the tests themselves do.</summary>
[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed class PlatformTableTests
{
    private const string Variable = "WRITE_PLATFORM_TABLE";
    private const string Begin = "<!-- platform table: made by PlatformTableTests -->\n";
    private const string End = "<!-- end of the platform table -->\n";

    /// <summary>With the variable set, the test writes the table.</summary>
    [Theory]
    [InlineData("README.md")]
    [InlineData("tests/README.md")]
    public void Table_IsThatOfTheAttributes(string document)
    {
        string text = Repository.Read(document);
        int begin = text.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        int end = text.IndexOf(End, StringComparison.Ordinal);
        begin.Should().BeGreaterThan(Begin.Length);
        Assembly suite = typeof(PlatformTableTests).Assembly;
        string table = $"\n{(document == "README.md" ? PlatformTable.Summary(suite) : PlatformTable.Of(suite))}\n";
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 })
        {
            File.WriteAllText(Path.Combine(Repository.Root, document), text[..begin] + table + text[end..]);
        }
        else
        {
            text[begin..end].Should().Be(table, $"the attributes have changed: run this test once with {Variable}=1");
        }
    }
}
