using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>Quotes words for a POSIX shell.</summary>
internal static class ShellWord
{
    private const string Harmless = "-_./:=@%+,";

    public static string Join(IEnumerable<string> words) => string.Join(' ', words.Select(Quote));

    public static string Quote(string word)
    {
        if (LoneByte.IsIn(word))
        {
            return QuoteBytes(word);
        }

        bool isHarmless = word.Length > 0
            && word.All(c => char.IsAsciiLetterOrDigit(c) || Harmless.Contains(c, StringComparison.Ordinal));
        return isHarmless ? word : $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
    }

    // Bytes that are no text, as in $'\xFF'.
    private static string QuoteBytes(string word)
    {
        StringBuilder quoted = new("$'");
        foreach (char c in word)
        {
            _ = LoneByte.IsIn([c]) ? quoted.Append(CultureInfo.InvariantCulture, $"\\x{(byte)c:X2}")
                : c is '\'' or '\\' ? quoted.Append('\\').Append(c)
                : quoted.Append(c);
        }

        return quoted.Append('\'').ToString();
    }
}
