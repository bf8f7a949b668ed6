using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Xml.Linq;

namespace PTest.Hosts;

/// <summary>Reads the report of a run that vstest has written.</summary>
internal static class TrxReader
{
    private static readonly XNamespace s_namespace = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";

    /// <summary>Gets the events of a run.</summary>
    /// <param name="path">The path of the report.</param>
    public static IEnumerable<HostEvent> Events(string path)
    {
        XElement root = XDocument.Load(path).Root!;
        Dictionary<string, XElement> methods = root.Descendants(s_namespace + "UnitTest")
            .ToDictionary(test => (string)test.Attribute("id")!, test => test.Element(s_namespace + "TestMethod")!);
        foreach (XElement result in root.Descendants(s_namespace + "UnitTestResult"))
        {
            XElement method = methods[(string)result.Attribute("testId")!];
            string className = (string)method.Attribute("className")!;
            string id = $"{className}.{method.Attribute("name")?.Value.Split('(')[0]}";
            DateTimeOffset start = (DateTimeOffset)result.Attribute("startTime")!;
            DateTimeOffset end = (DateTimeOffset)result.Attribute("endTime")!;
            string name = (string)result.Attribute("testName")!;
            name = name.StartsWith($"{className}.", StringComparison.Ordinal) ? name : $"{className}.{name}";
            yield return new HostEvent { Event = "started", At = start.UtcTicks, Case = id, Test = name };
            yield return Ended(result, id, name, end);
            yield return new HostEvent { Event = "case-ended", At = end.UtcTicks, Case = id };
        }

        // A host that died is told in the summary; a test that failed is not.
        bool isWhole = root.Element(s_namespace + "ResultSummary")?.Attribute("outcome")?.Value
            is "Completed" or "Failed" && !root.Descendants(s_namespace + "RunInfo").Any(IsAbort);
        if (isWhole)
        {
            yield return new HostEvent { Event = "run-ended", At = DateTime.UtcNow.Ticks };
        }
    }

    private static bool IsAbort(XElement information) => information.Attribute("outcome")?.Value == "Error"
        && information.Value.Contains("abort", StringComparison.OrdinalIgnoreCase);

    private static HostEvent Ended(XElement result, string id, string name, DateTimeOffset end)
    {
        XElement? output = result.Element(s_namespace + "Output");
        XElement? error = output?.Element(s_namespace + "ErrorInfo");
        string? outcome = result.Attribute("outcome")?.Value;
        TimeSpan duration = TimeSpan.TryParse(
            result.Attribute("duration")?.Value, CultureInfo.InvariantCulture, out TimeSpan parsed) ? parsed : default;
        return new HostEvent
        {
            Event = "ended",
            At = end.UtcTicks,
            Case = id,
            Test = name,
            Outcome = outcome switch { "Passed" => "passed", "NotExecuted" => "skipped", _ => "failed" },
            Seconds = duration.TotalSeconds.ToString(CultureInfo.InvariantCulture),
            Message = error?.Element(s_namespace + "Message")?.Value,
            Stack = error?.Element(s_namespace + "StackTrace")?.Value,
            Output = output?.Element(s_namespace + "StdOut")?.Value,
        };
    }
}
