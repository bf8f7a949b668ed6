using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Design;

/// <summary>
/// Verifies the direction of the dependencies: public types, Execution, Streams, the contract of the backends; and from
/// the other side the backends and Interop. The namespaces below a part belong to it unless they are a part themselves.
/// </summary>
[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed class DependencyTests
{
    // Each part, and the other parts that it uses. A part that is missing here, or that nothing uses in this way any
    // longer, fails the test as well. The folders of a native backend also use the types of the folder above them.
    private static readonly Dictionary<string, string[]> s_uses = new()
    {
        [""] =
        [
            "Execution", "Streams", "Backends", "Backends.Primitives", "Backends.Simulated", "Faults",
        ],
        ["Execution"] = ["Streams", "Backends", "Backends.Primitives", "Backends.Simulated", "Faults"],
        ["Streams"] = ["Backends", "Backends.Primitives", "Faults"],
        ["Backends"] =
        [
            "Backends.Primitives", "Backends.Linux", "Backends.Windows", "Backends.Portable", "Backends.Simulated",
        ],
        ["Backends.Primitives"] = ["Faults"],
        ["Backends.Reactors"] = ["Backends.Primitives"],
        ["Backends.Starts"] = ["Backends.Primitives", "Interop"],
        ["Backends.Linux"] =
        [
            "Backends.Primitives", "Backends.Reactors", "Backends.Linux.Io", "Backends.Linux.Processes",
            "Backends.Linux.Start", "Backends.Linux.Descendants", "Interop",
        ],
        ["Backends.Linux.Io"] = ["Backends.Primitives", "Backends.Reactors", "Interop"],
        ["Backends.Linux.Processes"] = ["Backends.Primitives", "Interop"],
        ["Backends.Linux.Start"] =
        [
            "Backends.Primitives", "Backends.Linux.Io", "Backends.Linux.Processes", "Interop", "Faults",
        ],
        ["Backends.Linux.Descendants"] =
        [
            "Backends.Primitives", "Backends.Linux.Io", "Backends.Linux.Processes", "Backends.Linux.Start", "Interop",
            "Faults",
        ],
        ["Backends.Windows"] =
        [
            "Backends.Primitives", "Backends.Reactors", "Backends.Starts", "Backends.Windows.Io",
            "Backends.Windows.Start", "Interop",
        ],
        ["Backends.Windows.Io"] = ["Backends.Primitives", "Backends.Reactors", "Backends.Starts", "Interop"],
        ["Backends.Windows.Start"] = ["Backends.Starts", "Backends.Windows.Io", "Interop"],
        ["Backends.Portable"] = ["Backends.Primitives", "Backends.Starts", "Backends.Simulated", "Faults"],
        ["Backends.Simulated"] = ["Backends.Primitives", "Backends.Portable"],
        ["Interop"] = ["Faults"],
        ["Faults"] = [],
    };

    [Fact]
    public void Part_UsesTheOthersInOneDirection()
    {
        Dictionary<string, string[]> used = Repository.Sources()
            .GroupBy(source => PartOf(NamespaceOf(source)))
            .ToDictionary(
                sources => sources.Key,
                sources => sources.SelectMany(UsedBy).Distinct().Where(part => part != sources.Key).ToArray());
        used.Keys.Should().BeEquivalentTo(s_uses.Keys);
        used.Should().AllSatisfy(part => part.Value.Should().BeEquivalentTo(s_uses[part.Key], $"of '{part.Key}'"));
    }

    // The factory is in the folder of the contract, and knows every backend.
    [Fact]
    public void Contract_NamesNoBackend() =>
        Repository.Sources("Backends")
            .Where(source => source.Count(letter => letter == '/') == 1 && source != "Backends/ProcessBackend.cs")
            .SelectMany(UsedBy)
            .Should().OnlyContain(part => part == "Backends.Primitives" || part == "Backends.Simulated");

    private static string NamespaceOf(string source) =>
        source.Contains('/') ? source[..source.LastIndexOf('/')].Replace('/', '.') : "";

    private static string PartOf(string name)
    {
        while (!s_uses.ContainsKey(name) && name.Contains('.'))
        {
            name = name[..name.LastIndexOf('.')];
        }

        return name;
    }

    // By a using directive, or by a qualified name. A file also sees the namespaces around its own without either:
    // SourceRuleTests.Parts_BelowTheSeam_NameNoPublicType looks for public types.
    private static IEnumerable<string> UsedBy(string source) =>
        Repository.Lines(source)
            .Where(line => !line.TrimStart().StartsWith("//", StringComparison.Ordinal))
            .SelectMany(line => Regex.Matches(
                line, @"(?<!namespace )\bProcessRunner\.((?:Execution|Streams|Backends|Interop|Faults)(?:\.\w+)*)|"
                    + @"(?<![\w.])((?:Execution|Streams)\.[A-Z]\w+)"))
            .Select(match => PartOf(match.Groups[1].Success ? match.Groups[1].Value : match.Groups[2].Value));
}
