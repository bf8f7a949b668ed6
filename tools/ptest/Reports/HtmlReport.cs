using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Reflection;
using System.Text;
using PTest.Hosts;
using PTest.Running;
using PTest.Verdicts;

namespace PTest.Reports;

/// <summary>
/// Writes one page that needs nothing else: the counts, the slots over time, and the tests, the failures first. Without
/// scripts it shows all of them; with scripts it can be searched.
/// </summary>
internal sealed class HtmlReport : IReport
{
    /// <summary>More tests than this are too small to be seen, and too many for a browser.</summary>
    private const int MaxDrawn = 5000;

    public void Write(RunRecord run, Stream stream)
    {
        using StreamWriter html = new(stream, new UTF8Encoding(false), leaveOpen: true) { NewLine = "\n" };
        RunSummary summary = run.Summary;
        int failed = summary.Failed + summary.NotRun;
        html.WriteLine("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">");
        html.WriteLine("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        html.WriteLine($"<title>{Encoded(run.Title)}: {failed} failed</title>");
        html.WriteLine($"<style>{Resource("report.css")}</style></head><body>");
        html.WriteLine($"<h1>{Encoded(run.Title)}</h1>");
        string skipped = summary.Skipped > 0 ? Text($", {summary.Skipped} skipped") : "";
        html.WriteLine(Text(
            $"<p class=\"sum {(failed > 0 ? "bad" : "good")}\">{summary.Passed} passed, {failed} failed{skipped}</p>"));
        html.WriteLine(Text(
            $"<p>{summary.Started:yyyy-MM-dd HH:mm:ss} UTC · {summary.Duration.TotalSeconds:0.0} s ")
            + Text($"· {summary.Processes} processes ")
            + Text($"· {summary.ProcessorTime.TotalSeconds:0.0} s of processor time</p>"));
        Filters(html, summary);
        Timeline(html, run);
        html.WriteLine("<table><thead><tr><th>Verdict<th class=\"time\">Seconds<th>Test</thead>");
        html.WriteLine("<tbody id=\"tests\">");
        foreach (TestRow row in summary.Rows.OrderByDescending(row => row.IsFailure)
            .ThenByDescending(row => row.Verdict is not (Verdict.Pass or Verdict.Skip))
            .ThenBy(row => row.Name, StringComparer.Ordinal))
        {
            Test(html, row);
        }

        html.WriteLine($"</tbody></table><script>{Resource("report.js")}</script></body></html>");
    }

    private static void Filters(StreamWriter html, RunSummary summary)
    {
        html.WriteLine("<div id=\"filters\">");
        html.WriteLine("<input id=\"search\" type=\"search\" placeholder=\"Search names and texts\">");
        foreach (Verdict verdict in Enum.GetValues<Verdict>().Where(verdict => summary.Count(verdict) > 0))
        {
            html.WriteLine(Text(
                $"<button data-verdict=\"{verdict.Text()}\" class=\"{verdict.Text()}\" aria-pressed=\"true\">")
                + Text($"{verdict.Text()} <b>{summary.Count(verdict)}</b></button>"));
        }

        html.WriteLine("</div>");
    }

    private static void Test(StreamWriter html, TestRow row)
    {
        string kind = row.IsFailure ? "bad" : row.Verdict is Verdict.Pass or Verdict.Skip ? "good" : "notable";
        string attempts = row.Attempts > 1 ? Text($" <i>attempt {row.Attempts}</i>") : "";
        html.Write($"<tr class=\"{kind}\" data-verdict=\"{row.Verdict.Text()}\">");
        html.Write($"<td><span class=\"{row.Verdict.Text()}\">{row.Verdict.Text()}</span>");
        html.Write($"<td class=\"time\">{ReportText.Seconds(row.Duration)}<td>");
        string name = $"<code>{Encoded(row.Name)}</code>{attempts}";
        string details = ReportText.Details(row);
        if (details.Length == 0 && row.Output is null)
        {
            html.WriteLine(name);
            return;
        }

        html.Write($"<details{(row.IsFailure ? " open" : "")}><summary>{name}</summary>");
        if (details.Length > 0)
        {
            html.Write($"<pre>{Encoded(details)}</pre>");
        }

        if (row.Output is not null)
        {
            html.Write($"<h3>Output</h3><pre>{Encoded(row.Output)}</pre>");
        }

        html.WriteLine("</details>");
    }

    /// <summary>Draws the processes of each slot over time, and their tests within.</summary>
    private static void Timeline(StreamWriter html, RunRecord run)
    {
        const int Width = 1000;
        const int Height = 22;
        if (run.Processes.Count == 0)
        {
            return;
        }

        DateTime begin = run.Processes.Min(process => process.Started);
        double length = Math.Max(0.001, (run.Processes.Max(process => process.Ended) - begin).TotalSeconds);
        int slots = run.Processes.Max(process => process.Slot) + 1;
        double X(DateTime moment) => Math.Clamp((moment - begin).TotalSeconds / length, 0, 1) * Width;
        html.WriteLine(Text($"<details open><summary>{slots} slots over {length:0.0} s</summary>")
            + Text($"<svg viewBox=\"0 0 {Width} {slots * Height}\" preserveAspectRatio=\"none\" ")
            + Text($"style=\"height: {slots * Height}px\" role=\"img\" aria-label=\"Processes over time\">"));
        int drawn = 0;
        foreach (ProcessSpan process in run.Processes.TakeWhile(_ => drawn < MaxDrawn))
        {
            string end = process.End.IsComplete ? "" : Text($" — {process.End.Text}");
            Draw("process", process.Started, process.Ended, 2, 18, $"{process.Name}, process {process.ProcessId}{end}");
            foreach (TestSpan test in process.Tests)
            {
                string kind = test.Outcome switch
                {
                    OutcomeNames.Passed => "PASS",
                    OutcomeNames.Skipped => "SKIP",
                    _ => "FAIL",
                };
                Draw(kind, test.Started, test.Ended, 5, 12, $"{test.Name}: {test.Outcome}");
            }

            void Draw(string kind, DateTime started, DateTime ended, int top, int height, string title)
            {
                drawn++;
                double x = X(started);
                html.WriteLine(
                    Text($"<rect class=\"{kind}\" x=\"{x:0.##}\" y=\"{(process.Slot * Height) + top}\" ")
                    + Text($"width=\"{Math.Max(0.5, X(ended) - x):0.##}\" height=\"{height}\">")
                    + $"<title>{Encoded(title)} {ReportText.Seconds(ended - started)} s</title></rect>");
            }
        }

        html.WriteLine("</svg></details>");
    }

    private static string Text(FormattableString text) => FormattableString.Invariant(text);

    private static string Encoded(string text) => WebUtility.HtmlEncode(ReportText.Valid(text));

    private static string Resource(string name)
    {
        using Stream stream = Assembly.GetExecutingAssembly().GetManifestResourceStream(name)!;
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }
}
