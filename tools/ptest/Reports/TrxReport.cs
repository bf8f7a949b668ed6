using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using PTest.Running;
using PTest.Verdicts;

namespace PTest.Reports;

/// <summary>
/// Writes the TRX of Visual Studio with the elements and the outcomes that VSTest writes: Passed, Failed, NotExecuted.
/// Most readers know no others. The text of a result tells a crash from a timeout.
/// </summary>
internal sealed class TrxReport : IReport
{
    private const string Space = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";
    private const string UnitTestType = "13cdc9d9-ddb5-4fa4-a97d-d965ccfc6d4b";
    private const string List = "8c84fa94-04c1-424b-9868-57a2d4851a1d";
    private const string AllLoaded = "19431567-8539-422a-85d7-44ee4e166bda";
    private const string Host = "executor://ptest/v1";

    private static readonly string[] s_unused =
    [
        "error", "timeout", "aborted", "inconclusive", "passedButRunAborted", "notRunnable",
    ];

    private static readonly string[] s_alsoUnused =
        ["disconnected", "warning", "completed", "inProgress", "pending"];

    public void Write(RunRecord run, Stream stream)
    {
        using XmlReportWriter xml = new(stream, Space);
        RunSummary summary = run.Summary;
        Result[] results = Results(summary.Rows);
        string name = string.Create(
            CultureInfo.InvariantCulture, $"{Environment.MachineName} {summary.Started:yyyy-MM-dd HH:mm:ss}");
        string start = Moment(summary.Started);
        string end = Moment(summary.Started + summary.Duration);
        xml.Element("TestRun", [("id", Guid.NewGuid().ToString()), ("name", name)], () =>
        {
            xml.Element("Times", [("creation", start), ("queuing", start), ("start", start), ("finish", end)]);
            xml.Element("TestSettings", [("name", "default"), ("id", Guid.NewGuid().ToString())]);
            xml.Element("Results", [], () => Array.ForEach(results, result => Write(xml, result)));
            xml.Element("TestDefinitions", [], () =>
            {
                foreach (Result result in results)
                {
                    Define(xml, result);
                }
            });
            xml.Element("TestEntries", [], () =>
            {
                foreach (Result result in results)
                {
                    xml.Element(
                        "TestEntry",
                        [("testId", result.TestId), ("executionId", result.ExecutionId), ("testListId", List)]);
                }
            });
            xml.Element("TestLists", [], () =>
            {
                xml.Element("TestList", [("name", "Results Not in a List"), ("id", List)]);
                xml.Element("TestList", [("name", "All Loaded Results"), ("id", AllLoaded)]);
            });
            Summarize(xml, summary, results);
        });
    }

    private static void Write(XmlReportWriter xml, Result result)
    {
        TestRow row = result.Row;
        DateTime started = row.Started == default ? DateTime.UnixEpoch : row.Started;
        string message = ReportText.Message(row) ?? "";
        bool hasFailed = result.Outcome == "Failed";
        xml.Element(
            "UnitTestResult",
            [
                ("executionId", result.ExecutionId), ("testId", result.TestId), ("testName", row.Name),
                ("computerName", Environment.MachineName),
                ("duration", row.Duration.ToString("c", CultureInfo.InvariantCulture)),
                ("startTime", Moment(started)), ("endTime", Moment(started + row.Duration)),
                ("testType", UnitTestType), ("outcome", result.Outcome), ("testListId", List),
                ("relativeResultsDirectory", result.ExecutionId),
            ],
            () =>
            {
                string output = hasFailed || message.Length == 0 ? row.Output ?? "" : $"{row.Output}{message}\n";
                if (output.Length > 0 || hasFailed)
                {
                    xml.Element("Output", [], () =>
                    {
                        xml.Text("StdOut", output);
                        if (hasFailed)
                        {
                            xml.Element("ErrorInfo", [], () =>
                            {
                                xml.Text("Message", message.Length > 0 ? message : row.Verdict.Text());
                                xml.Text("StackTrace", row.Stack);
                            });
                        }
                    });
                }
            });
    }

    private static void Define(XmlReportWriter xml, Result result)
    {
        TestRow row = result.Row;
        string file = row.Case.Assembly.FilePath;
        xml.Element(
            "UnitTest",
            [("name", row.Name), ("storage", file.ToLowerInvariant()), ("id", result.TestId)],
            () =>
            {
                xml.Element("Execution", [("id", result.ExecutionId)]);
                xml.Element(
                    "TestMethod",
                    [
                        ("codeBase", file), ("adapterTypeName", Host), ("className", row.Case.ClassName),
                        ("name", row.Case.MethodName),
                    ]);
            });
    }

    private static void Summarize(XmlReportWriter xml, RunSummary summary, Result[] results)
    {
        string Count(string outcome) =>
            results.Count(result => result.Outcome == outcome).ToString(CultureInfo.InvariantCulture);
        string total = results.Length.ToString(CultureInfo.InvariantCulture);
        string executed = results.Count(result => result.Outcome != "NotExecuted")
            .ToString(CultureInfo.InvariantCulture);
        bool hasFailed = summary.Failed + summary.NotRun > 0 || summary.IsInterrupted;
        xml.Element("ResultSummary", [("outcome", hasFailed ? "Failed" : "Completed")], () =>
        {
            xml.Element(
                "Counters",
                [
                    ("total", total), ("executed", executed), ("passed", Count("Passed")), ("failed", Count("Failed")),
                    .. s_unused.Select(name => (name, (string?)"0")),
                    ("notExecuted", Count("NotExecuted")),
                    .. s_alsoUnused.Select(name => (name, (string?)"0")),
                ]);
            if (summary.NotRun > 0)
            {
                xml.Element("RunInfos", [], () => xml.Element(
                    "RunInfo",
                    [
                        ("computerName", Environment.MachineName), ("outcome", "Error"),
                        ("timestamp", Moment(summary.Started + summary.Duration)),
                    ],
                    () => xml.Text("Text", string.Create(
                        CultureInfo.InvariantCulture, $"{summary.NotRun} tests did not run (NOT-RUN)."))));
            }
        });
    }

    /// <summary>Makes the ids. Those of tests are the same in each run, so that a reader can compare runs.</summary>
    private static Result[] Results(IReadOnlyList<TestRow> rows)
    {
        Dictionary<string, int> seen = [];
        List<Result> results = [];
        foreach (TestRow row in rows)
        {
            string key = $"{row.Case.Assembly.Name}\n{row.Case.FullName}\n{row.Name}";
            int number = seen[key] = seen.GetValueOrDefault(key) + 1;
            string text = string.Create(CultureInfo.InvariantCulture, $"{key}\n{number}");
            byte[] hash = SHA256.HashData(Encoding.UTF8.GetBytes(text));
            string outcome = ReportText.Outcome(row) switch
            {
                ReportOutcome.Passed => "Passed",
                ReportOutcome.Failed or ReportOutcome.Broken => "Failed",
                _ => "NotExecuted",
            };
            results.Add(new Result(
                row, new Guid(hash.AsSpan(0, 16)).ToString(), Guid.NewGuid().ToString(), outcome));
        }

        return [.. results];
    }

    private static string Moment(DateTime moment) => moment.ToString("o", CultureInfo.InvariantCulture);

    private sealed record Result(TestRow Row, string TestId, string ExecutionId, string Outcome);
}
