using System;
using System.IO;
using PTest.CommandLine;

namespace PTest.Reports;

/// <summary>Represents a report that a user asks for.</summary>
/// <param name="Kind">Its format.</param>
/// <param name="FilePath">
/// The absolute path of its file. Empty for the summary of GitHub Actions where there is none: a profile that is not
/// chosen may ask for it anywhere.
/// </param>
internal sealed record ReportTarget(ReportKind Kind, string FilePath)
{
    /// <summary>The file that GitHub gives to a step for its summary.</summary>
    private const string SummaryVariable = "GITHUB_STEP_SUMMARY";

    private const string NoSummary = $"outside of GitHub Actions, which sets {SummaryVariable}, write github:PATH";

    /// <summary>Reads a text of the form <c>junit:PATH</c>. GitHub Actions has a path for <c>github</c>.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static ReportTarget Parse(string text)
    {
        int colon = text.IndexOf(':');
        ReportKind kind = Values.Choice<ReportKind>(colon < 0 ? text : text[..colon]);
        string path = colon < 0 ? "" : text[(colon + 1)..];
        bool isSummary = kind == ReportKind.GitHub && path.Length == 0;
        if (isSummary)
        {
            path = Environment.GetEnvironmentVariable(SummaryVariable) ?? "";
        }

        return !string.IsNullOrWhiteSpace(path) ? new ReportTarget(kind, Path.GetFullPath(path))
            : isSummary ? new ReportTarget(kind, "")
            : throw new FormatException(kind == ReportKind.GitHub
                ? NoSummary
                : $"'{text}' names no file: {kind.ToString().ToLowerInvariant()}:PATH");
    }

    /// <summary>Checks that the report has a file.</summary>
    /// <exception cref="UsageException">It has none.</exception>
    public void ThrowIfNowhere()
    {
        if (FilePath.Length == 0)
        {
            throw new UsageException($"--report: {NoSummary}");
        }
    }
}
