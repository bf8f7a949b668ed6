using System.Linq;

namespace Batch.Output;

/// <summary>
/// Formats text from outside for one line of a message: an item may contain line ends and terminal controls.
/// </summary>
internal static class OneLine
{
    private const int Longest = 200;

    public static string Of(string text)
    {
        string line = string.Concat(text.Take(Longest).Select(c => char.IsControl(c) ? '?' : c));
        return text.Length > Longest ? $"{line}…" : line;
    }
}
