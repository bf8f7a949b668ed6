using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Xml.Linq;
using ProcessRunner;

namespace Cookbook;

/// <summary>Runs 300 tests and writes a report for a build server, junit.xml in the working directory.</summary>
internal static class JUnitReport
{
    public static void Run(TextWriter output)
    {
        IEnumerable<BatchItem<string>> tests = Enumerable.Range(1, 300).Select(number =>
            new BatchItem<string>(new ProcessCommand("sh", "-c", $"exit {number / 300}"), $"test {number}"));
        XElement suite = new("testsuite", new XAttribute("name", "all"));
        foreach (BatchResult<string> result in ProcessBatch.Enumerate(tests))
        {
            XElement? failure = result.IsSuccess ? null : new("failure", $"{result}");
            suite.Add(new XElement("testcase", new XAttribute("name", result.Tag), failure));
        }

        int failures = suite.Descendants("failure").Count();
        suite.Add(new XAttribute("tests", suite.Elements().Count()), new XAttribute("failures", failures));
        suite.Save("junit.xml");
        output.WriteLine($"{suite.Elements().Count()} tests, {failures} failure");
    }
}
