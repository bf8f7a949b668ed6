using System;
using System.IO;
using PTest.CommandLine;

namespace PTest.Reports;

/// <summary>Represents a report that a user asks for.</summary>
/// <param name="Kind">Its format.</param>
/// <param name="FilePath">The absolute path of its file.</param>
internal sealed record ReportTarget(ReportKind Kind, string FilePath)
{
    /// <summary>The file that GitHub gives to a step for its summary.</summary>
    private const string SummaryVariable = "GITHUB_STEP_SUMMARY";

    /// <summary>Reads a text of the form <c>junit:PATH</c>. GitHub Actions has a path for <c>github</c>.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static ReportTarget Parse(string text)
    {
        int colon = text.IndexOf(':');
        ReportKind kind = Values.Choice<ReportKind>(colon < 0 ? text : text[..colon]);
        string path = colon < 0 ? "" : text[(colon + 1)..];
        if (path.Length == 0 && kind == ReportKind.GitHub)
        {
            path = Environment.GetEnvironmentVariable(SummaryVariable) ?? "";
        }

        return !string.IsNullOrWhiteSpace(path) ? new ReportTarget(kind, Path.GetFullPath(path))
            : kind == ReportKind.GitHub
                ? throw new FormatException(
                    $"outside of GitHub Actions, which sets {SummaryVariable}, write github:PATH")
            : throw new FormatException($"'{text}' names no file: {kind.ToString().ToLowerInvariant()}:PATH");
    }
}
