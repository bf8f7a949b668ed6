using System;
using System.IO;
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
    [Fact]
    public void Table_IsThatOfTheAttributes()
    {
        string text = Repository.Read("docs", "platforms.md");
        int begin = text.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        int end = text.IndexOf(End, StringComparison.Ordinal);
        begin.Should().BeGreaterThan(Begin.Length);
        string table = "\n" + PlatformTable.Of(typeof(PlatformTableTests).Assembly) + "\n";
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 })
        {
            string path = Path.Combine(Repository.Root, "docs", "platforms.md");
            File.WriteAllText(path, text[..begin] + table + text[end..]);
        }
        else
        {
            text[begin..end].Should().Be(table, $"the attributes have changed: run this test once with {Variable}=1");
        }
    }
}
