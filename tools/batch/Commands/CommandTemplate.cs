using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Globalization;
using System.Linq;
using ProcessRunner;

namespace Batch.Commands;

/// <summary>Represents the command line that receives each item. Immutable.</summary>
internal sealed class CommandTemplate
{
    /// <summary>The variable that tells a child its slot number, from 0.</summary>
    public const string SlotVariable = "BATCH_SLOT";

    private const string SlotOfTheShell = $"$(({SlotVariable}+1))";

    // Windows has no place for it, but Git for Windows and the like put it on the PATH.
    private static readonly string s_shell = OperatingSystem.IsWindows() ? "sh" : "/bin/sh";

    private readonly ImmutableArray<TemplateWord> _words;
    private readonly bool _isShell;

    /// <summary>Parses the words. Without a placeholder, the item is appended.</summary>
    /// <param name="words">The program and its arguments; with a shell, the parts of its line.</param>
    /// <param name="isShell">True if the words are a line for <c>sh -c</c>.</param>
    public CommandTemplate(IEnumerable<string> words, bool isShell)
    {
        ImmutableArray<TemplateWord> given = [.. words.Select(word => new TemplateWord(word))];
        _words = given.Any(word => word.HasPlaceholder) ? given : given.Add(new TemplateWord("{}"));
        _isShell = isShell;
    }

    /// <summary>Creates the command of a job.</summary>
    /// <exception cref="UsageException">The item is invalid at its place in the template.</exception>
    public ProcessCommand CommandFor(Job job)
    {
        if (job.Item.Contains('\0'))
        {
            throw new UsageException(
                $"item {job.Sequence} holds a NUL character, which no argument can; separate items by it with --null.");
        }

        if (_isShell)
        {
            return new ProcessCommand(s_shell, "-c", Line(job, SlotOfTheShell));
        }

        // The slot is unknown before the start, but the child finds it in its environment: a shell inserts it.
        if (_words.Any(word => word.HasSlot))
        {
            string words = Joined(job, $"\"{SlotOfTheShell}\"", ShellText.Quote);
            return new ProcessCommand(s_shell, "-c", $"exec {words}");
        }

        string[] filled = [.. _words.Select(word => word.Fill(job, "", Same, Same))];
        return filled[0].Length > 0
            ? new ProcessCommand(filled[0], filled[1..])
            : throw new UsageException(
                $"item {job.Sequence} is empty, but stands for the program to run; --no-run-if-empty leaves it out.");
    }

    /// <summary>Formats the job's command line for a shell.</summary>
    /// <param name="job">The job.</param>
    /// <param name="slot">The job's slot as the batch numbers it, from 0. The text shows it from 1.</param>
    public string Text(Job job, int slot)
    {
        string number = (slot + 1).ToString(CultureInfo.InvariantCulture);
        return _isShell
            ? Line(job, number)
            : string.Join(' ', _words.Select(word => ShellText.Quote(word.Fill(job, number, Same, Same))));
    }

    // The words of the template are the user's own shell text. Text from an item never is.
    private string Line(Job job, string slot) => Joined(job, slot, Same);

    private string Joined(Job job, string slot, Func<string, string> literal) =>
        string.Join(' ', _words.Select(word => word.Fill(job, slot, literal, ShellText.Quote)));

    private static string Same(string text) => text;
}
