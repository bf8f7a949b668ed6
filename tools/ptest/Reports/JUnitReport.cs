using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using PTest.Running;
using PTest.Verdicts;

namespace PTest.Reports;

/// <summary>
/// Writes JUnit's XML in the form of Jenkins and Surefire: a suite for each class, none within another, and within a
/// test first the properties, then what went wrong, then the output. Stricter readers refuse any other order.
/// </summary>
internal sealed class JUnitReport : IReport
{
    public void Write(RunRecord run, Stream stream)
    {
        using XmlReportWriter xml = new(stream);
        RunSummary summary = run.Summary;
        xml.Element(
            "testsuites",
            [("name", run.Title), .. Counts(summary.Rows, summary.Duration, summary.Started)],
            () =>
            {
                int id = 0;
                foreach (IGrouping<(string Assembly, string Class), TestRow> suite in
                    summary.Rows.GroupBy(row => (row.Case.Assembly.Name, row.Case.ClassName)))
                {
                    Suite(xml, id++, suite.Key.Assembly, suite.Key.Class, [.. suite]);
                }
            });
    }

    private static void Suite(
        XmlReportWriter xml, int id, string assembly, string name, IReadOnlyList<TestRow> rows)
    {
        TimeSpan time = TimeSpan.FromTicks(rows.Sum(row => row.Duration.Ticks));
        DateTime[] starts = [.. rows.Select(row => row.Started).Where(moment => moment != default)];
        DateTime? started = starts.Length > 0 ? starts.Min() : null;
        xml.Element(
            "testsuite",
            [
                ("name", name),
                .. Counts(rows, time, started),
                ("hostname", Environment.MachineName),
                ("id", id.ToString(CultureInfo.InvariantCulture)),
            ],
            () =>
            {
                xml.Element("properties", [], () => Property(xml, "assembly", assembly));
                foreach (TestRow row in rows)
                {
                    xml.Element(
                        "testcase",
                        [("classname", name), ("name", row.Name), ("time", ReportText.Seconds(row.Duration))],
                        () => Content(xml, row));
                }
            });
    }

    private static void Content(XmlReportWriter xml, TestRow row)
    {
        ReportOutcome outcome = ReportText.Outcome(row);
        xml.Element("properties", [], () =>
        {
            Property(xml, "verdict", row.Verdict.Text());
            Property(xml, "attempts", row.Attempts.ToString(CultureInfo.InvariantCulture));
            foreach (string trait in row.Case.Traits)
            {
                Property(xml, $"trait.{trait.Split('=')[0]}", trait[(trait.IndexOf('=') + 1)..]);
            }
        });
        string? message = ReportText.Message(row);
        if (outcome == ReportOutcome.Skipped)
        {
            xml.Element("skipped", [("message", message)]);
        }
        else if (outcome != ReportOutcome.Passed)
        {
            // What has not run is no "skipped": most readers count that as good.
            string details = ReportText.Details(row);
            xml.Text(
                outcome == ReportOutcome.Failed ? "failure" : "error",
                details.Length > 0 ? details : row.Verdict.Text(),
                ("message", message ?? row.Verdict.Text()),
                ("type", row.Verdict.Text()));
        }

        xml.Text("system-out", row.Output);
        xml.Text("system-err", outcome == ReportOutcome.Passed ? ReportText.Details(row) : null);
    }

    private static void Property(XmlReportWriter xml, string name, string value) =>
        xml.Element("property", [("name", name), ("value", value)]);

    private static (string Name, string? Value)[] Counts(
        IReadOnlyList<TestRow> rows, TimeSpan time, DateTime? started)
    {
        ILookup<ReportOutcome, TestRow> outcomes = rows.ToLookup(ReportText.Outcome);
        string Count(params ReportOutcome[] kinds) =>
            kinds.Sum(kind => outcomes[kind].Count()).ToString(CultureInfo.InvariantCulture);
        return
        [
            ("tests", rows.Count.ToString(CultureInfo.InvariantCulture)),
            ("failures", Count(ReportOutcome.Failed)),
            ("errors", Count(ReportOutcome.Broken, ReportOutcome.NotRun)),
            ("skipped", Count(ReportOutcome.Skipped)),
            ("time", ReportText.Seconds(time)),
            ("timestamp", started?.ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture)),
        ];
    }
}
