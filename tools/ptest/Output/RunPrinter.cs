using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using ProcessRunner;
using PTest.Reports;
using PTest.Running;
using PTest.Verdicts;

namespace PTest.Output;

/// <summary>Prints a line for each test that people want to see, and what is known of a failure below it.</summary>
internal sealed class RunPrinter(Screen screen, bool showsAll) : IRunListener
{
    private const int MaxOutput = 16 * 1024;

    private readonly Tally _tally = new();

    public void OnSettled(IReadOnlyList<TestRow> rows)
    {
        foreach (TestRow row in rows)
        {
            _tally.Add(row);
            bool isQuiet = row.Verdict is Verdict.Pass or Verdict.Skip
                || (row.Verdict == Verdict.NotRun && row.Message is null);
            if (showsAll || !isQuiet || (row.IsFailure && row.Verdict != Verdict.NotRun))
            {
                screen.Write(text => Print(row, text));
            }
        }
    }

    public void OnTick(BatchRun batch, int settled, int count) => screen.Show(batch, _tally, settled, count);

    /// <summary>Prints the totals.</summary>
    public void Sum(RunSummary summary)
    {
        screen.Close();
        screen.Write(text =>
        {
            text.Line("------------");
            text.Line(string.Create(
                CultureInfo.InvariantCulture,
                $"{Count(summary.Rows.Count, "test", "tests")} in {summary.Duration.TotalSeconds:0.00} s, "
                + $"{Count(summary.Processes, "process", "processes")}, "
                + $"{summary.ProcessorTime.TotalSeconds:0.00} s of processor time"));
            string[] counts =
            [
                .. Enum.GetValues<Verdict>()
                    .Where(verdict => verdict is not Verdict.Pass && summary.Count(verdict) > 0)
                    .Select(verdict => $"{summary.Count(verdict)} {verdict.Text()}"),
            ];
            if (counts.Length > 0)
            {
                text.Line(string.Join(", ", counts));
            }

            int failed = summary.Failed + summary.NotRun;
            string skipped = summary.Skipped > 0 ? $", {summary.Skipped} skipped" : "";
            text.Line($"{summary.Passed} passed, {failed} failed{skipped}");
        });
    }

    private static string Count(int count, string one, string many) => $"{count} {(count == 1 ? one : many)}";

    private static void Print(TestRow row, TextOutput text)
    {
        text.Verdict(row.Verdict, row.IsFailure);
        string attempts = row.Attempts > 1 ? $" (attempt {row.Attempts})" : "";
        text.Line(string.Create(
            CultureInfo.InvariantCulture,
            $" [{row.Duration.TotalSeconds,8:0.000} s] {row.Case.Assembly.Name} ")
            + $"{ReportText.Line(row.Name)}{attempts}");
        foreach (string leak in row.Leaks)
        {
            text.Indented($"left behind: {leak}");
        }

        if (row.Verdict is Verdict.Pass or Verdict.Slow or Verdict.Leak && !row.IsFailure)
        {
            return;
        }

        foreach (string part in ((string?[])[row.Message, row.Stack, row.Output]).OfType<string>())
        {
            text.Indented(Shortened(part));
        }

        if (row.Dump is string dump)
        {
            text.Indented($"dump: {dump}");
        }
    }

    private static string Shortened(string output) => output.Length > MaxOutput
        ? $"{output[..(MaxOutput / 2)]}\n... {output.Length - MaxOutput} characters ...\n{output[^(MaxOutput / 2)..]}"
        : output;
}
