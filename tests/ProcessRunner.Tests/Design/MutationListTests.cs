using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Design;

/// <summary>
/// Verifies that the faults that <c>tests/mutate</c> inserts into the sources still apply to these sources.
/// </summary>
[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed class MutationListTests
{
    private static readonly string[] s_tests =
    [
        .. Assembly.GetExecutingAssembly().GetTypes()
            .SelectMany(type => type.GetMethods())
            .Where(method => method.IsDefined(typeof(FactAttribute)))
            .Select(method => $"{method.DeclaringType!.FullName}.{method.Name}"),
    ];

    private static readonly Mutation[] s_mutations =
    [
        .. Repository.Read("tests", "mutations")
            .Split("\n[", StringSplitOptions.None).Skip(1).Select(Mutation.Of),
    ];

    [Fact]
    public void Text_OfEachFault_IsInItsFileOnce() =>
        s_mutations.Where(mutation => !mutation.IsFound).Should().BeEmpty();

    [Fact]
    public void Name_OfEachFault_IsItsOwn()
    {
        s_mutations.Should().HaveCountGreaterThan(60);
        s_mutations.Select(mutation => mutation.Name).Should().OnlyHaveUniqueItems();
    }

    [Fact]
    public void Tests_OfEachFault_Exist() =>
        s_mutations.SelectMany(mutation => mutation.Tests)
            .Where(part => !s_tests.Any(test => test.Contains(part, StringComparison.Ordinal)))
            .Should().BeEmpty();

    private sealed record Mutation(string Name, string Source, string Text, IReadOnlyList<string> Tests)
    {
        public bool IsFound => string.Join('\n', Repository.Lines(Source)).Split(Text).Length == 2;

        /// <summary>Parses the part of the list after an opening bracket.</summary>
        public static Mutation Of(string entry)
        {
            string[] lines = entry.Split('\n');
            string[] head = lines[0].Split("] ");
            return new Mutation(
                head[0],
                head[1],
                string.Join(
                    '\n', lines.Where(line => line.StartsWith('-')).Select(line => line.Length > 2 ? line[2..] : "")),
                lines.Single(line => line.StartsWith("tests: ", StringComparison.Ordinal))["tests: ".Length..]
                    .Split(' '));
        }
    }
}
