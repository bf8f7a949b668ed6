using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Design;

[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed class PublicApiTests
{
    private const string AcceptVariable = "ACCEPT_PUBLIC_API";

    [Fact]
    public void PublicApi_IsTheOneThatWasApproved()
    {
        string path = Path.Combine(Repository.Root, "tests", "ProcessRunner.Tests", "PublicApi.approved.txt");
        IReadOnlyList<string> actual = Qualified(PublicApiText.Of(typeof(ProcessCommand).Assembly));
        if (Environment.GetEnvironmentVariable(AcceptVariable) == "1")
        {
            File.WriteAllLines(path, PublicApiText.Of(typeof(ProcessCommand).Assembly));
        }

        IReadOnlyList<string> approved = File.Exists(path) ? Qualified(File.ReadAllLines(path)) : [];
        string[] difference =
        [
            .. approved.Except(actual).Select(line => $"- {line}"),
            .. actual.Except(approved).Select(line => $"+ {line}"),
        ];
        string advice = $"{string.Join('\n', difference)}\nIf that is meant, accept it: "
            + $"{AcceptVariable}=1 dotnet test tests/ProcessRunner.Tests "
            + $"--filter {nameof(PublicApi_IsTheOneThatWasApproved)}\n";
        difference.Should().BeEmpty("the public surface must not change by accident:\n{0}", advice);
        actual.Should().Equal(approved);
    }

    // Each member is listed with its type, so that a difference is readable by itself.
    private static List<string> Qualified(IEnumerable<string> lines)
    {
        string type = "";
        List<string> qualified = [];
        foreach (string line in lines)
        {
            bool isMember = line.StartsWith(' ');
            type = isMember ? type : line;
            qualified.Add(isMember ? $"{type}: {line.Trim()}" : line);
        }

        return qualified;
    }
}
