using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Readme;

[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed class ReadmeText
{
    private static readonly string[] s_testFiles =
    [
        "ReadmeExamples.cs",
        "ReadmeBatchExamples.cs",
        "ReadmeStreamExamples.cs",
        "ReadmeStartExamples.cs",
        "ReadmePlatformExamples.cs",
        "ReadmeTestingExamples.cs",
    ];

    [Fact]
    public void Examples_AreThoseThatTheTestsRun()
    {
        IEnumerable<string> tests = s_testFiles
            .Select(file => Repository.Read("tests", "ProcessRunner.Tests", "Readme", file));

        CodeSample[] shown = [.. CodeSample.InDocuments().OrderBy(sample => sample.Name)];
        CodeSample[] run = [.. tests.SelectMany(CodeSample.InSource).OrderBy(sample => sample.Name)];

        shown.Should().NotBeEmpty();
        shown.Should().Equal(run);
    }

    [Fact]
    public void Readme_IsShort_AndLinksEveryGuide()
    {
        string readme = Repository.Read("README.md");

        readme.Split('\n').Should().HaveCountLessThan(201);
        Repository.Guides.Should().NotBeEmpty();
        Repository.Guides.Where(guide => !readme.Contains($"](docs/{guide})", StringComparison.Ordinal))
            .Should().BeEmpty();
    }
}
