using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Writes the tables of all questions to one Markdown file.</summary>
internal static class QuestionReport
{
    /// <summary>Writes questions.md.</summary>
    public static void Write(IEnumerable<Summary> summaries, string command)
    {
        StringBuilder text = new();
        text.Append("# questions\n\nWhat does a single call cost? BenchmarkDotNet, one contender after the other, on ");
        text.Append(CultureInfo.InvariantCulture, $"{Machine.Description}:\n\n```sh\n{command}\n```\n");
        foreach (Summary summary in summaries)
        {
            Type question = summary.BenchmarksCases[0].Descriptor.Type;
            string sentence = question.GetCustomAttribute<DescriptionAttribute>()!.Description;
            text.Append(CultureInfo.InvariantCulture, $"\n## {question.Name}\n\n{sentence}\n\n").Append(Table(summary));
        }

        File.WriteAllText(Path.Combine(Repository.Results, "questions.md"), text.ToString());
    }

    // BenchmarkDotNet repeats the machine before each table; the report states it once above all tables.
    private static string Table(Summary summary)
    {
        AccumulationLogger log = new();
        MarkdownExporter.GitHub.ExportToLog(summary, log);
        IEnumerable<string> lines = log.GetLog().Split('\n').Select(line => line.TrimEnd('\r', ' '));
        return string.Concat(lines.Where(line => line.StartsWith('|')).Select(line => $"{line}\n"));
    }
}
