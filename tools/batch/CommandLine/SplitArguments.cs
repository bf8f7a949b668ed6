using System;
using System.Collections.Generic;
using System.Linq;

namespace Batch.CommandLine;

/// <summary>
/// Represents the three parts of a command line: the options, up to the first word that is not an option; the template;
/// the items behind <c>:::</c>. The template has options of its own, so no other part may parse it.
/// </summary>
/// <param name="Options">The options, one word each: <c>--jobs</c>, <c>8</c>.</param>
/// <param name="Template">The command and its arguments.</param>
/// <param name="Items">The items; null without <c>:::</c>.</param>
internal sealed record SplitArguments(
    IReadOnlyList<string> Options, IReadOnlyList<string> Template, IReadOnlyList<string>? Items)
{
    private const string ItemsFollow = ":::";

    /// <summary>Splits a command line.</summary>
    /// <param name="arguments">The whole command line.</param>
    /// <param name="takesValue">Returns whether a value follows the option of a name.</param>
    /// <exception cref="UsageException">The form of the items is invalid.</exception>
    public static SplitArguments Of(IReadOnlyList<string> arguments, Func<string, bool> takesValue)
    {
        List<string> options = [];
        int at = 0;
        while (at < arguments.Count && arguments[at].StartsWith('-') && arguments[at] is not ("-" or "--"))
        {
            string option = arguments[at++];
            if (IsShortWithValue(option, takesValue))
            {
                options.AddRange([option[..2], option[2..]]);
                continue;
            }

            options.Add(option);
            if (takesValue(option) && at < arguments.Count)
            {
                options.Add(arguments[at++]);
            }
        }

        at += at < arguments.Count && arguments[at] == "--" ? 1 : 0;
        string[] rest = [.. arguments.Skip(at)];
        int end = Array.IndexOf(rest, ItemsFollow);
        string[] template = end < 0 ? rest : rest[..end];
        string[]? items = end < 0 ? null : rest[(end + 1)..];
        if (items?.Contains(ItemsFollow) == true)
        {
            throw new UsageException("':::' may occur only once: batch does not combine lists of items.");
        }

        if (template.Contains("::::") || items?.Contains("::::") == true)
        {
            throw new UsageException(
                "'::::' is not understood; name the file of items by --arg-file FILE before the command.");
        }

        return new SplitArguments(options, template, items);
    }

    // For example, -j8 means -j 8.
    private static bool IsShortWithValue(string option, Func<string, bool> takesValue) =>
        option.Length > 2 && option[1] != '-' && takesValue(option[..2]);
}
