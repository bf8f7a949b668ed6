using System.Text.RegularExpressions;

namespace PTest.Selection;

/// <summary>Recognizes a word of the filters of <c>dotnet test</c>, which users bring along.</summary>
internal static partial class VSTestWord
{
    /// <summary>Returns what <see cref="TestFilter"/> takes in the place of a word; null if the word is none.</summary>
    public static string? Translate(string word)
    {
        Match match = Word().Match(word);
        if (!match.Success)
        {
            return null;
        }

        string value = match.Groups["value"].Value;
        string translation = match.Groups["property"].Value switch
        {
            "FullyQualifiedName" => value,
            "DisplayName" => $"name:{value}",
            "Name" => $"method:{value}",
            "ClassName" => $"class:{value}",
            string trait => $"trait:{trait}={value}",
        };
        return match.Groups["not"].Length > 0 ? $"not {translation}" : translation;
    }

    [GeneratedRegex("^(?<property>FullyQualifiedName|DisplayName|Name|ClassName|TestCategory|Category|Priority|Owner)"
        + "(?<not>!?)[=~](?<value>.+)$")]
    private static partial Regex Word();
}
