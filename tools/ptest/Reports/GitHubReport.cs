using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Text;
using PTest.Running;
using PTest.Verdicts;

namespace PTest.Reports;

/// <summary>Writes Markdown for the summary of a GitHub job: the counts, and what needs a look, folded.</summary>
internal sealed class GitHubReport : IReport
{
    /// <summary>GitHub drops a summary above a megabyte as a whole.</summary>
    private const int MaxLength = 900_000;
    private const int MaxDetails = 16_000;

    public void Write(RunRecord run, Stream stream)
    {
        StringBuilder text = new();
        RunSummary summary = run.Summary;
        int failed = summary.Failed + summary.NotRun;
        text.Append(CultureInfo.InvariantCulture, $"### {(failed > 0 ? "❌" : "✅")} {Escaped(run.Title)}: ")
            .Append(CultureInfo.InvariantCulture, $"{summary.Passed} passed, {failed} failed");
        if (summary.Skipped > 0)
        {
            text.Append(CultureInfo.InvariantCulture, $", {summary.Skipped} skipped");
        }

        text.Append(CultureInfo.InvariantCulture, $" in {summary.Duration.TotalSeconds:0.0} s\n\n");
        Counts(text, summary);
        TestRow[] rows =
        [
            .. summary.Rows
                .Where(row => row.IsFailure || row.Verdict is not (Verdict.Pass or Verdict.Skip))
                .OrderByDescending(row => row.IsFailure),
        ];
        int left = rows.Length;
        foreach (string details in rows.Select(Details))
        {
            if (Encoding.UTF8.GetByteCount(details) + text.Length * 3L > MaxLength)
            {
                text.Append(CultureInfo.InvariantCulture, $"… and {left} more.\n");
                break;
            }

            text.Append(details);
            left--;
        }

        stream.Write(Encoding.UTF8.GetBytes(text.Append('\n').ToString()));
    }

    private static void Counts(StringBuilder text, RunSummary summary)
    {
        Verdict[] verdicts = [.. Enum.GetValues<Verdict>().Where(verdict => summary.Count(verdict) > 0)];
        IEnumerable<string> counts =
            verdicts.Select(verdict => summary.Count(verdict).ToString(CultureInfo.InvariantCulture));
        text.Append("| ").AppendJoin(" | ", verdicts.Select(verdict => verdict.Text())).Append(" |\n|")
            .Append(string.Concat(Enumerable.Repeat(" ---: |", verdicts.Length))).Append("\n| ")
            .AppendJoin(" | ", counts).Append(" |\n\n");
    }

    private static string Details(TestRow row)
    {
        string details = ReportText.Details(row);
        string output = row.Output is null ? "" : $"\n--- output ---\n{row.Output}";
        string all = ReportText.Valid($"{details}{output}").Trim();
        string body = all.Length > MaxDetails ? $"{all[..MaxDetails]}\n…" : all;
        string line = string.Create(
            CultureInfo.InvariantCulture,
            $"<b>{row.Verdict.Text()}</b> <code>{Escaped(row.Name)}</code> {row.Duration.TotalSeconds:0.000} s");
        return body.Length == 0
            ? $"{line}<br>\n\n"
            : $"<details><summary>{line}</summary>\n\n{Fenced(body)}\n</details>\n\n";
    }

    /// <summary>Puts a text between fences that are longer than any in it.</summary>
    private static string Fenced(string text)
    {
        int longest = 2;
        int current = 0;
        foreach (char c in text)
        {
            current = c == '`' ? current + 1 : 0;
            longest = Math.Max(longest, current);
        }

        string fence = new('`', longest + 1);
        return $"{fence}text\n{text}\n{fence}\n";
    }

    private static string Escaped(string text) =>
        WebUtility.HtmlEncode(ReportText.Valid(text)).ReplaceLineEndings(" ");
}
