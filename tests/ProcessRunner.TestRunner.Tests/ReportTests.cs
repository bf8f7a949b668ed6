using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "deaths by signals, and shells that leave processes behind")]
public sealed class ReportTests(HostileRun run) : IClassFixture<HostileRun>
{
    private const string Prefix = "ProcessRunner.HostileTests.";
    private const string OddName = @"odd <b>&""'`]]> \u0001 \u001b[31m ��� \ufffe ```` name";

    private static readonly XNamespace s_trx = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";

    [Fact]
    public void JUnit_HasAFlatSuiteForEachClass_WithTheOrderOfElementsThatReadersWant()
    {
        XElement root = XDocument.Parse(run.Text("new/junit.xml")).Root!;

        root.Name.LocalName.Should().Be("testsuites");
        root.Elements().Should().OnlyContain(suite => suite.Name == "testsuite");
        root.Elements().Select(suite => suite.Attribute("name")!.Value).Should().OnlyHaveUniqueItems();
        root.Elements().SelectMany(suite => suite.Elements()).Select(element => element.Name.LocalName)
            .Distinct().Should().BeEquivalentTo("properties", "testcase");
        string[] order = ["properties", "skipped", "error", "failure", "system-out", "system-err"];
        foreach (XElement test in root.Descendants("testcase"))
        {
            int[] places = [.. test.Elements().Select(element => Array.IndexOf(order, element.Name.LocalName))];
            places.Should().BeInAscendingOrder().And.NotContain(-1).And.OnlyHaveUniqueItems(test.ToString());
        }
    }

    [Fact]
    public void JUnit_CountsWhatItHolds()
    {
        XElement root = XDocument.Parse(run.Text("new/junit.xml")).Root!;

        foreach (XElement one in (XElement[])[root, .. root.Elements()])
        {
            one.Attribute("tests")!.Value.Should().Be(Count(one, "testcase"));
            one.Attribute("failures")!.Value.Should().Be(Count(one, "failure"));
            one.Attribute("errors")!.Value.Should().Be(Count(one, "error"));
            one.Attribute("skipped")!.Value.Should().Be(Count(one, "skipped"));
            double.Parse(one.Attribute("time")!.Value, CultureInfo.InvariantCulture).Should().BeGreaterThanOrEqualTo(0);
        }

        run.Result.StandardOutput.Text.Should().Contain($"{root.Attribute("tests")!.Value} tests in");
    }

    [Theory]
    [InlineData("OrdinaryTests.Fails", "FAIL", "failure")]
    [InlineData("EndlessTests.Never", "TIMEOUT", "error")]
    [InlineData("FailFastTests.FailFast", "CRASH", "error")]
    [InlineData("ExitTests.Exit", "EXIT", "error")]
    [InlineData("OrdinaryTests.Skipped", "SKIP", "skipped")]
    [InlineData("OrdinaryTests.Slow", "SLOW", null)]
    [InlineData("LeakInSilenceTests.Leaks", "LEAK", null)]
    [InlineData("FlakyTests.FailsOnce", "FLAKY", null)]
    [InlineData("FlakyTests.Before_Passes", "PASS", null)]
    public void JUnit_TellsTheVerdict(string name, string verdict, string? element)
    {
        XElement test = XDocument.Parse(run.Text("new/junit.xml")).Descendants("testcase")
            .Single(one => one.Attribute("name")!.Value == Prefix + name);

        test.Descendants("property").Single(one => one.Attribute("name")!.Value == "verdict")
            .Attribute("value")!.Value.Should().Be(verdict);
        test.Elements().Select(one => one.Name.LocalName).Where(one => one is "failure" or "error" or "skipped")
            .Should().Equal(element is null ? [] : (string[])[element]);
        if (element is "failure" or "error")
        {
            test.Element(element)!.Attribute("type")!.Value.Should().Be(verdict);
            test.Element(element)!.Attribute("message")!.Value.Should().NotBeEmpty();
        }
    }

    [Fact]
    public void JUnit_SaysOfPassesWhatWasWrongAllTheSame()
    {
        string[] errors = [.. XDocument.Parse(run.Text("new/junit.xml")).Descendants("system-err")
            .Select(element => element.Value)];

        // The process may not have executed sleep yet.
        errors.Should().Contain(text => Regex.IsMatch(text, @"left behind: .*sleep 1000\.5"))
            .And.Contain(text => text.Contains("It failed, and passed at attempt")
                && text.Contains("the first time it fails"));
    }

    [Fact]
    public void Trx_CountsWhatItHolds_AndDefinesEachTest()
    {
        XElement root = XDocument.Parse(run.Text("run.trx")).Root!;
        XElement[] results = [.. root.Descendants(s_trx + "UnitTestResult")];
        XElement counters = root.Descendants(s_trx + "Counters").Single();
        string Outcomes(string outcome) => results.Count(result => result.Attribute("outcome")!.Value == outcome)
            .ToString(CultureInfo.InvariantCulture);

        counters.Attribute("total")!.Value.Should().Be(results.Length.ToString(CultureInfo.InvariantCulture));
        counters.Attribute("passed")!.Value.Should().Be(Outcomes("Passed"));
        counters.Attribute("failed")!.Value.Should().Be(Outcomes("Failed"));
        counters.Attribute("notExecuted")!.Value.Should().Be(Outcomes("NotExecuted"));
        root.Element(s_trx + "ResultSummary")!.Attribute("outcome")!.Value.Should().Be("Failed");
        IEnumerable<string> ids = results.Select(result => result.Attribute("testId")!.Value);
        ids.Should().OnlyHaveUniqueItems();
        root.Descendants(s_trx + "UnitTest").Select(test => test.Attribute("id")!.Value).Should().Equal(ids);
        root.Descendants(s_trx + "TestEntry").Select(test => test.Attribute("testId")!.Value).Should().Equal(ids);
    }

    /// <summary>A reader that loads what VSTest writes loads this: no element and no attribute is new to it.</summary>
    [Fact]
    public void Trx_HasTheFormAndTheOutcomesOfVSTest() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult vstest = new ProcessCommand(
            "dotnet", "vstest", PTestProgram.HostileBy("VSTest"), "--logger:trx;LogFileName=v.trx",
            $"--ResultsDirectory:{folder.Path}").Run();
        File.Exists(folder.File("v.trx")).Should().BeTrue(vstest.StandardOutput.Text + vstest.StandardError.Text);
        XElement theirs = XDocument.Load(folder.File("v.trx")).Root!;
        XElement ours = XDocument.Parse(run.Text("run.trx")).Root!;

        Shape(ours).Except(Shape(theirs)).Should().BeEmpty();
        ours.Elements().Select(element => element.Name.LocalName).Should().Equal(
            theirs.Elements().Select(element => element.Name.LocalName));
        Outcomes(theirs).Should().HaveCount(3);
        Outcomes(ours).Should().BeSubsetOf(Outcomes(theirs));
    });

    [Fact]
    public void XmlReports_ShowWhatXmlCannotHold()
    {
        XElement junit = XDocument.Parse(run.Text("new/junit.xml")).Descendants("testcase")
            .Single(test => test.Attribute("name")!.Value == OddName);
        XElement trx = XDocument.Parse(run.Text("run.trx")).Descendants(s_trx + "UnitTestResult")
            .Single(test => test.Attribute("testName")!.Value == OddName);

        foreach (string text in (string[])[junit.Value, trx.Value])
        {
            text.Should().Contain(@"odd message </pre> ]]> \u0002")
                .And.Contain(@"odd output </script> ]]> \u0000 \u001b[31m red ``` end");
        }
    }

    [Fact]
    public void JsonEvents_AreALineEach_FromTheStartToTheTotals()
    {
        JsonElement[] events = [.. run.Lines("events.jsonl").Select(line => JsonDocument.Parse(line).RootElement)];
        string Kind(JsonElement one) => one.GetProperty("event").GetString()!;
        JsonElement end = events[^1];

        Kind(events[0]).Should().Be("run-started");
        Kind(end).Should().Be("run-ended");
        events.Select(Kind).Distinct().Should().BeEquivalentTo("run-started", "process", "test", "run-ended");
        JsonElement[] tests = [.. events.Where(one => Kind(one) == "test")];
        int Tests(string member) => end.GetProperty(member).GetInt32();
        tests.Length.Should().Be(Tests("passed") + Tests("failed") + Tests("skipped") + Tests("notRun"));
        tests.Count(test => test.GetProperty("isFailure").GetBoolean()).Should().Be(Tests("failed"));
        events.Count(one => Kind(one) == "process").Should().Be(Tests("processes"));
        JsonElement odd = tests.Single(test =>
            test.GetProperty("class").GetString() == $"{Prefix}OddNameTests"
            && test.GetProperty("verdict").GetString() == "PASS");
        odd.GetProperty("name").GetString().Should().Be("odd but fine: \U0001f600 | ä\u0085");
        odd.GetProperty("traits")[0].GetString().Should().Be("Odd=a=b <c> \u0003");
    }

    [Fact]
    public void Trace_HasEachProcessInItsSlot_AndItsTestsWithin()
    {
        JsonElement[] events =
            [.. JsonDocument.Parse(run.Text("trace.json")).RootElement.GetProperty("traceEvents").EnumerateArray()];
        JsonElement[] spans = [.. events.Where(one => one.GetProperty("ph").GetString() == "X")];
        JsonElement[] processes = [.. spans.Where(one => one.GetProperty("args").TryGetProperty("processId", out _))];
        double Start(JsonElement span) => span.GetProperty("ts").GetDouble();
        double End(JsonElement span) => Start(span) + span.GetProperty("dur").GetDouble();
        bool Holds(JsonElement process, JsonElement test) =>
            process.GetProperty("tid").GetInt32() == test.GetProperty("tid").GetInt32()
            && Start(process) - 1 <= Start(test) && End(test) <= End(process) + 1;

        processes.Should().HaveCountGreaterThan(10);
        JsonElement[] tests = [.. spans.Where(one => !one.GetProperty("args").TryGetProperty("processId", out _))];
        tests.Should().HaveCountGreaterThan(30);
        tests.Where(test => !processes.Any(process => Holds(process, test))).Should().BeEmpty();
        foreach (IGrouping<int, JsonElement> slot in processes.GroupBy(one => one.GetProperty("tid").GetInt32()))
        {
            JsonElement[] inOrder = [.. slot.OrderBy(Start)];
            inOrder.Zip(inOrder.Skip(1)).All(pair => End(pair.First) <= Start(pair.Second) + 1).Should().BeTrue();
        }
    }

    [Fact]
    public void GitHubSummary_IsAppended_AndShowsWhatNeedsALook()
    {
        string text = run.Text("summary.md");

        text.Should().StartWith("of an earlier step\n### ❌ ProcessRunner.HostileTests: ")
            .And.Contain("<b>TIMEOUT</b> <code>ProcessRunner.HostileTests.EndlessTests.Never</code>")
            .And.MatchRegex(@"left behind: .*sleep 1000\.25")
            .And.Contain("odd &lt;b&gt;&amp;&quot;")
            .And.NotContain("Before_Passes")
            .And.NotContain("\u001b");
    }

    [Fact]
    public void HtmlPage_NeedsNothingElse_AndHoldsAllTests()
    {
        string text = run.Text("page.html");

        text.Should().NotContain("http").And.NotContain("src=").And.NotContain("<b>&\"").And.NotContain("\u001b");
        text.Split("<tr class=").Length.Should().Be(1 + run.Lines("events.jsonl").Count(line =>
            line.StartsWith("{\"event\":\"test\"", StringComparison.Ordinal)));
        text.Split("</script>").Should().HaveCount(2, "what a test prints ends no element");
        text.Split("</pre>").Length.Should().Be(text.Split("<pre>").Length);
    }

    private static string Count(XElement element, string name) =>
        element.Descendants(name).Count().ToString(CultureInfo.InvariantCulture);

    /// <summary>Gets each element and each attribute with the names of what it is in.</summary>
    private static HashSet<string> Shape(XElement root) =>
    [
        .. root.DescendantsAndSelf().SelectMany(element =>
        {
            string path = string.Join('/', element.AncestorsAndSelf().Reverse().Select(one => one.Name.ToString()));
            return (string[])[path, .. element.Attributes().Select(attribute => $"{path}@{attribute.Name}")];
        }),
    ];

    private static IEnumerable<string> Outcomes(XElement root) => root.Descendants(s_trx + "UnitTestResult")
        .Select(result => result.Attribute("outcome")!.Value).Distinct();
}
