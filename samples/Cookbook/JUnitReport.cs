using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Xml.Linq;
using ProcessRunner;

namespace Cookbook;

/// <summary>Runs 300 tests and writes a report for a build server.</summary>
internal static class JUnitReport
{
    public static void Run(TextWriter output)
    {
        IEnumerable<BatchItem> tests = Enumerable.Range(1, 300).Select(number =>
            new BatchItem(new ProcessCommand("sh", "-c", $"exit {number / 300}")) { Tag = $"test {number}" });
        XElement suite = new("testsuite", new XAttribute("name", "all"));
        foreach (BatchResult result in ProcessBatch.Enumerate(tests))
        {
            XElement test = new("testcase", new XAttribute("name", result.Tag!));
            suite.Add(test);
            if (!result.IsSuccess)
            {
                test.Add(new XElement("failure", $"{result.Result}"));
            }
        }

        int failures = suite.Descendants("failure").Count();
        output.WriteLine($"{suite.Elements().Count()} tests, {failures} failure");
    }
}
