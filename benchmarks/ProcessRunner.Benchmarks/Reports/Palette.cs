using ProcessRunner.Benchmarks.Races;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Defines colours of medium brightness that stand out from both white and black.</summary>
internal static class Palette
{
    public const string Text = "#7d8590";
    public const string Grid = "#7d859040";

    private static readonly string[] s_library =
        ["#1f6feb", "#0f9d8f", "#3fa7d6", "#5b6ee1", "#16a34a", "#2f8fbd", "#8f96ff"];
    private static readonly string[] s_rivals =
        ["#d4722c", "#c9467c", "#b59a00", "#9065d8", "#c0392b", "#8c5a3c", "#7a8b3c"];

    /// <summary>Gets the colour of a contender by its number among those of its kind.</summary>
    public static string Of(ContenderKind kind, int number) => kind switch
    {
        ContenderKind.Library => s_library[number % s_library.Length],
        ContenderKind.Rival => s_rivals[number % s_rivals.Length],
        _ => Text,
    };
}
