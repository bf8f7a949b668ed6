using System;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Xml;
using PTest.Verdicts;

namespace PTest.Reports;

/// <summary>Makes the texts that all reports have in common.</summary>
internal static class ReportText
{
    public static ReportOutcome Outcome(TestRow row) => row.Verdict switch
    {
        Verdict.Skip => ReportOutcome.Skipped,
        Verdict.NotRun => ReportOutcome.NotRun,
        _ when !row.IsFailure => ReportOutcome.Passed,
        Verdict.Timeout or Verdict.Crash or Verdict.Exit => ReportOutcome.Broken,
        _ => ReportOutcome.Failed,
    };

    /// <summary>Says in words what the verdict means, with the message of the test; null for a plain pass.</summary>
    public static string? Message(TestRow row)
    {
        string? text = row.Verdict switch
        {
            Verdict.Pass or Verdict.Slow or Verdict.Leak => null,
            Verdict.Flaky => string.Create(
                CultureInfo.InvariantCulture, $"It failed, and passed at attempt {row.Attempts}.\n{row.Message}"),
            Verdict.NotRun => row.Message ?? "the run ended before it",
            Verdict.Fail or Verdict.Skip => row.Message,
            _ => $"{row.Verdict.Text()}: {row.Message}",
        };
        string[] parts = [text ?? "", .. row.Leaks.Select(leak => $"left behind: {leak}")];
        return string.Join('\n', parts.Where(part => part.Length > 0)) is { Length: > 0 } message ? message : null;
    }

    /// <summary>Gets the message, the stack and the path of the dump, as far as there are any.</summary>
    public static string Details(TestRow row)
    {
        string?[] parts = [Message(row), row.Stack, row.Dump is string dump ? $"dump: {dump}" : null];
        return string.Join('\n', parts.Where(part => !string.IsNullOrEmpty(part)));
    }

    /// <summary>Makes a text that XML can hold: other characters are shown as VSTest shows them, \u001b.</summary>
    public static string Valid(string text)
    {
        StringBuilder? valid = null;
        for (int index = 0; index < text.Length; index++)
        {
            char c = text[index];
            bool isPair = index + 1 < text.Length && XmlConvert.IsXmlSurrogatePair(text[index + 1], c);
            if (isPair || XmlConvert.IsXmlChar(c))
            {
                valid?.Append(text, index, isPair ? 2 : 1);
                index += isPair ? 1 : 0;
            }
            else
            {
                valid ??= new StringBuilder(text, 0, index, text.Length + 16);
                valid.Append(CultureInfo.InvariantCulture, $"\\u{(int)c:x4}");
            }
        }

        return valid?.ToString() ?? text;
    }

    /// <summary>Makes a line of a name, which may hold more.</summary>
    public static string Line(string name) => Valid(name)
        .Replace("\r", "\\r", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);

    public static string Seconds(TimeSpan time) =>
        time.TotalSeconds.ToString("0.000", CultureInfo.InvariantCulture);
}
