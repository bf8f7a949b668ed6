using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Tests.Support;

namespace ProcessRunner.Tests.Readme;

/// <summary>Represents a named piece of C#: a fenced block of a Markdown file, or a region of a source file.</summary>
internal sealed record CodeSample(string Name, string Code)
{
    private const string Region = "#region ";
    private const string Unnamed = "(no <!-- example: name --> above the block)";

    /// <summary>Gets the samples in README.md and in the guides.</summary>
    public static IEnumerable<CodeSample> InDocuments() =>
        Repository.Guides.Select(guide => Repository.Read("docs", guide))
            .Prepend(Repository.Read("README.md"))
            .SelectMany(InMarkdown);

    /// <summary>Gets the <c>csharp</c> blocks. A comment on the line above each block names it.</summary>
    public static IEnumerable<CodeSample> InMarkdown(string text)
    {
        string[] lines = text.Split('\n');
        for (int i = 0; i < lines.Length; i++)
        {
            if (lines[i].StartsWith("```csharp", StringComparison.Ordinal))
            {
                string[] code = [.. lines.Skip(i + 1).TakeWhile(line => line != "```")];
                yield return new CodeSample(NameIn(i == 0 ? "" : lines[i - 1]), string.Join('\n', code));
                i += code.Length + 1;
            }
        }
    }

    /// <summary>Gets the regions without their common indentation.</summary>
    public static IEnumerable<CodeSample> InSource(string text)
    {
        string[] lines = text.Split('\n');
        for (int i = 0; i < lines.Length; i++)
        {
            string line = lines[i].TrimStart();
            if (line.StartsWith(Region, StringComparison.Ordinal))
            {
                int indentation = lines[i].Length - line.Length;
                IEnumerable<string> code = lines.Skip(i + 1)
                    .TakeWhile(inner => inner.Trim() != "#endregion")
                    .Select(inner => inner.Length == 0 ? inner : inner[indentation..]);
                yield return new CodeSample(line[Region.Length..].Trim(), string.Join('\n', code));
            }
        }
    }

    private static string NameIn(string comment)
    {
        const string Start = "<!-- example: ";
        const string End = " -->";
        return comment.StartsWith(Start, StringComparison.Ordinal) && comment.EndsWith(End, StringComparison.Ordinal)
            ? comment[Start.Length..^End.Length]
            : Unnamed;
    }
}
