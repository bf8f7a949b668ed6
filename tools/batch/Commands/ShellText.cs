using System;
using System.Linq;

namespace Batch.Commands;

/// <summary>Quotes words so that a POSIX shell reads them back unchanged.</summary>
internal static class ShellText
{
    private const string Harmless = "-_./:=@%+,";

    public static string Quote(string word) =>
        word.Length > 0 && word.All(c => char.IsAsciiLetterOrDigit(c) || Harmless.Contains(c, StringComparison.Ordinal))
            ? word
            : $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
