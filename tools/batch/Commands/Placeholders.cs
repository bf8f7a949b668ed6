using System;

namespace Batch.Commands;

/// <summary>Defines the notation of placeholders and the text that replaces them, as in GNU parallel.</summary>
internal static class Placeholders
{
    private static readonly (string Token, Placeholder Kind)[] s_all =
    [
        ("{}", Placeholder.Item),
        ("{.}", Placeholder.WithoutExtension),
        ("{/}", Placeholder.BaseName),
        ("{//}", Placeholder.DirectoryName),
        ("{/.}", Placeholder.BaseNameWithoutExtension),
        ("{#}", Placeholder.Sequence),
        ("{%}", Placeholder.Slot),
    ];

    /// <summary>Finds the placeholder at the start of a text. Other braces have no meaning.</summary>
    public static (string Token, Placeholder Kind)? At(ReadOnlySpan<char> text)
    {
        foreach ((string Token, Placeholder Kind) candidate in s_all)
        {
            if (text.StartsWith(candidate.Token, StringComparison.Ordinal))
            {
                return candidate;
            }
        }

        return null;
    }

    /// <summary>Gets the text that replaces a placeholder of the item.</summary>
    public static string Value(Placeholder kind, string item) => kind switch
    {
        Placeholder.Item => item,
        Placeholder.WithoutExtension => WithoutExtension(item),
        Placeholder.BaseName => BaseName(item),
        Placeholder.DirectoryName => DirectoryName(item),
        Placeholder.BaseNameWithoutExtension => WithoutExtension(BaseName(item)),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "The placeholder is not part of the item."),
    };

    // The dot in "a.d/file" belongs to a directory. The dot in "file." does not begin an extension.
    private static string WithoutExtension(string item)
    {
        int dot = item.LastIndexOf('.');
        return dot < 0 || dot == item.Length - 1 || item.IndexOf('/', dot) >= 0 ? item : item[..dot];
    }

    private static string BaseName(string item) => item[(item.LastIndexOf('/') + 1)..];

    private static string DirectoryName(string item)
    {
        string path = item.TrimEnd('/');
        if (path.Length == 0)
        {
            return item.Length == 0 ? "." : "/";
        }

        int slash = path.LastIndexOf('/');
        return slash switch
        {
            < 0 => ".",
            0 => "/",
            _ => path[..slash].TrimEnd('/') is { Length: > 0 } directory ? directory : "/",
        };
    }
}
