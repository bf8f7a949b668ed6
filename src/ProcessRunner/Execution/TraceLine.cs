using System;
using System.Collections.Generic;
using System.Linq;

namespace ProcessRunner.Execution;

/// <summary>
/// Formats the lines of a trace. One describes a start:
/// <c>cd DIRECTORY &amp;&amp; env -u NAME NAME=VALUE PROGRAM ARGUMENTS</c>. Others are comments of the shell.
/// </summary>
internal static class TraceLine
{
    /// <summary>Formats the comment on an engine that has the portable backend although nobody asked for it.</summary>
    /// <param name="obstacle">Why there is no native one.</param>
    public static string OfPortable(string obstacle) => $"# the portable backend runs the children: {obstacle}";

    /// <summary>Formats the line of a command.</summary>
    /// <param name="command">The command to start, whose secrets are hidden.</param>
    public static string Of(ProcessCommand command)
    {
        IEnumerable<string> changes = command.Environment
            .OrderBy(change => change.Value is null ? 0 : 1)
            .ThenBy(change => change.Key, StringComparer.Ordinal)
            .SelectMany(change =>
                change.Value is string value ? [$"{change.Key}={value}"] : new[] { "-u", change.Key });
        IEnumerable<string> env = (command.InheritEnvironment, command.Environment.Count) switch
        {
            (true, 0) => [],
            (true, _) => changes.Prepend("env"),
            _ => changes.Prepend("-i").Prepend("env"),
        };

        // Secrets are hidden before quoting, which would split a secret that contains a quote.
        string line = ShellWord.Join(env.Append(command.FileName).Concat(command.Arguments).Select(command.Hide));
        return command.Hide(command.WorkingDirectory is string directory
            ? $"cd {ShellWord.Quote(command.Hide(directory))} && {line}"
            : line);
    }
}
