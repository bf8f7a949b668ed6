using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Design;

/// <summary>Verifies that the scripts that run a part of the tests choose tests that exist.</summary>
[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed partial class TestSelectionTests
{
    // "NAMESPACE.CLASS.METHOD" of all tests, and of a few more members.
    private static readonly string[] s_names =
    [
        .. Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests"), "*.cs", SearchOption.AllDirectories)
            .SelectMany(file => Names(File.ReadAllText(file))),
    ];

    [Theory]
    [InlineData(".ci/run")]
    [InlineData("tests/windows")]
    [InlineData("tests/by-ptest")]
    public void EachPartOfASelection_IsInTheNameOfATest(string script)
    {
        string[] parts = [.. Parts(Repository.Read(script.Split('/')))];

        parts.Should().NotBeEmpty();
        parts.Where(part => !Array.Exists(s_names, name => name.Contains(part, StringComparison.Ordinal)))
            .Should().BeEmpty();
    }

    private static IEnumerable<string> Names(string source) =>
        from space in Namespace().Matches(source)
        from type in Class().Matches(source)
        from method in Method().Matches(source)
        select $"{space.Groups["name"]}.{type.Groups["name"]}.{method.Groups["name"]}";

    private static IEnumerable<string> Parts(string script) =>
        FilterPart().Matches(script).Select(match => match.Groups["part"].Value)
            .Concat(WordList().Matches(script).SelectMany(match => match.Groups["words"].Value
                .Split([' ', '\\', '\n'], StringSplitOptions.RemoveEmptyEntries)));

    [GeneratedRegex(@"^namespace (?<name>[\w.]+)", RegexOptions.Multiline)]
    private static partial Regex Namespace();

    [GeneratedRegex(@"^public .*class (?<name>\w+)", RegexOptions.Multiline)]
    private static partial Regex Class();

    [GeneratedRegex(@"^    public .*?(void|Task) (?<name>\w+)\(", RegexOptions.Multiline)]
    private static partial Regex Method();

    [GeneratedRegex(@"FullyQualifiedName~(?<part>[\w.]+)")]
    private static partial Regex FilterPart();

    // "for subject in WORDS; do" and "classes=(WORDS)".
    [GeneratedRegex(@"(for subject in (?<words>[^;]+);|classes=\((?<words>[^)]+)\))")]
    private static partial Regex WordList();
}
