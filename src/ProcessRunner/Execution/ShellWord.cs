using System;
using System.Collections.Generic;
using System.Linq;

namespace ProcessRunner.Execution;

/// <summary>Quotes words for a POSIX shell.</summary>
internal static class ShellWord
{
    private const string Harmless = "-_./:=@%+,";

    public static string Join(IEnumerable<string> words) => string.Join(' ', words.Select(Quote));

    public static string Quote(string word) =>
        word.Length > 0 && word.All(c => char.IsAsciiLetterOrDigit(c) || Harmless.Contains(c, StringComparison.Ordinal))
            ? word
            : $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
