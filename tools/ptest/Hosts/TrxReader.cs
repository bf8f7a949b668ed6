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
    /// <param name="name">The name of what has failed if no test has.</param>
    public static IEnumerable<HostEvent> Events(string path, string name)
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
            string test = (string)result.Attribute("testName")!;
            test = test.StartsWith($"{className}.", StringComparison.Ordinal) ? test : $"{className}.{test}";
            yield return new HostEvent { Event = EventNames.Started, At = start.UtcTicks, Case = id, Test = test };
            yield return Ended(result, id, test, end);
            yield return new HostEvent { Event = EventNames.CaseEnded, At = end.UtcTicks, Case = id };
        }

        // The summary reports a host that died, and what failed around the tests. It reports no test that failed.
        string[] errors =
        [
            .. root.Descendants(s_namespace + "RunInfo")
                .Where(information => information.Attribute("outcome")?.Value == "Error")
                .Select(information => information.Value.Trim()),
        ];
        bool isWhole = root.Element(s_namespace + "ResultSummary")?.Attribute("outcome")?.Value
            is "Completed" or "Failed" && !errors.Any(IsAbort);
        if (isWhole)
        {
            long now = DateTime.UtcNow.Ticks;
            if (errors.Length > 0)
            {
                string message = string.Join('\n', errors);
                yield return new HostEvent
                {
                    Event = EventNames.Error,
                    At = now,
                    Test = name,
                    Outcome = OutcomeNames.Failed,
                    Message = message,
                };
            }

            yield return new HostEvent { Event = EventNames.RunEnded, At = now };
        }
    }

    private static bool IsAbort(string error) => error.Contains("abort", StringComparison.OrdinalIgnoreCase);

    private static HostEvent Ended(XElement result, string id, string name, DateTimeOffset end)
    {
        XElement? output = result.Element(s_namespace + "Output");
        XElement? error = output?.Element(s_namespace + "ErrorInfo");
        string? outcome = result.Attribute("outcome")?.Value;
        TimeSpan duration = TimeSpan.TryParse(
            result.Attribute("duration")?.Value, CultureInfo.InvariantCulture, out TimeSpan parsed) ? parsed : default;
        return new HostEvent
        {
            Event = EventNames.Ended,
            At = end.UtcTicks,
            Case = id,
            Test = name,
            Outcome = outcome switch
            {
                "Passed" => OutcomeNames.Passed,
                "NotExecuted" => OutcomeNames.Skipped,
                _ => OutcomeNames.Failed,
            },
            Seconds = duration.TotalSeconds.ToString(CultureInfo.InvariantCulture),
            Message = error?.Element(s_namespace + "Message")?.Value,
            Stack = error?.Element(s_namespace + "StackTrace")?.Value,
            Output = output?.Element(s_namespace + "StdOut")?.Value,
        };
    }
}
