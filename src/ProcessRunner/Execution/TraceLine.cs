using System;
using System.Collections.Generic;
using System.Linq;

namespace ProcessRunner.Execution;

/// <summary>One line that tells what is started: <c>cd DIRECTORY &amp;&amp; env -u NAME NAME=VALUE PROGRAM ARGUMENTS</c>.</summary>
internal static class TraceLine
{
    private const string Hidden = "***";

    /// <param name="command">What is started.</param>
    /// <param name="secrets">What is hidden, the longest first.</param>
    public static string Of(ProcessCommand command, IReadOnlyCollection<string> secrets)
    {
        string Hide(string text) => secrets.Aggregate(
            text, (hidden, secret) => hidden.Replace(secret, Hidden, StringComparison.Ordinal));

        IEnumerable<string> changes = command.Environment
            .OrderBy(change => change.Value is null ? 0 : 1)
            .ThenBy(change => change.Key, StringComparer.Ordinal)
            .SelectMany(change => change.Value is string value ? [$"{change.Key}={value}"] : new[] { "-u", change.Key });
        IEnumerable<string> env = (command.InheritEnvironment, command.Environment.Count) switch
        {
            (true, 0) => [],
            (true, _) => changes.Prepend("env"),
            _ => changes.Prepend("-i").Prepend("env"),
        };

        // Secrets are hidden before the quotes come, which would tear one apart that holds a quote itself.
        string line = ShellWord.Join(env.Append(command.FileName).Concat(command.Arguments).Select(Hide));
        return command.WorkingDirectory is string directory ? $"cd {ShellWord.Quote(Hide(directory))} && {line}" : line;
    }
}
