using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Tests.Backends;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Design;

/// <summary>Verifies that the architecture lists the members that a new backend must provide.</summary>
[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed class ContractTests
{
    [Theory]
    [InlineData(typeof(ProcessBackend), typeof(ShellBackend))]
    [InlineData(typeof(BackendChild), typeof(ShellChild))]
    public void Architecture_ListsTheMembersOfTheContract(Type contract, Type shell)
    {
        const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.DeclaredOnly;
        string[] members =
            [.. contract.GetMembers(Own).Where(IsAbstract).Select(member => member.Name).Distinct().Order()];
        Listed(contract.Name).Should().Equal(members);
        shell.BaseType.Should().Be(contract);
        shell.IsAbstract.Should().BeFalse();
    }

    [Fact]
    public void Contract_SpeaksNoPosix() =>
        Repository.Sources("Backends")
            .Where(source => Path.GetDirectoryName(source) == "Backends" && source != "Backends/SignalName.cs")
            .SelectMany(source => Repository.Lines(source).Where(line => Regex.IsMatch(
                line,
                @"\bSIG[A-Z]{2,}\b|\b(epoll|pidfd|[Zz]ombie|[Jj]observer|waitpid|setpgid|setsid|FIONREAD)|/proc\b")))
            .Should().BeEmpty();

    private static bool IsAbstract(MemberInfo member) => member switch
    {
        MethodInfo { IsSpecialName: false } method => method.IsAbstract,
        PropertyInfo property => property.GetMethod!.IsAbstract,
        _ => false,
    };

    // The rows below the heading "| `TYPE` | provides |", each of which begins with its members.
    private static string[] Listed(string type) =>
        [.. File.ReadLines(Path.Combine(Repository.Root, "ARCHITECTURE.md"))
            .SkipWhile(line => !line.StartsWith($"| `{type}` | provides", StringComparison.Ordinal)).Skip(2)
            .TakeWhile(line => line.StartsWith('|'))
            .SelectMany(line => Regex.Matches(line.Split('|')[1], "`(\\w+)`").Select(match => match.Groups[1].Value))
            .Order()];
}
