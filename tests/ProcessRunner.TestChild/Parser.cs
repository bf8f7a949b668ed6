using System;

namespace ProcessRunner.TestChild;

/// <summary>Parses the whole command line into words before any of them runs.</summary>
internal static class Parser
{
    public const string End = "end";

    public static ReadOnlySpan<Word> Parse(string[] arguments)
    {
        // A List would load another assembly, which slows the start noticeably.
        var words = new Word[arguments.Length];
        int count = 0;
        var cursor = new ArgumentCursor(arguments);
        while (!cursor.AtEnd)
        {
            words[count++] = ParseWord(cursor);
        }

        return new ReadOnlySpan<Word>(words, 0, count);
    }

    /// <summary>
    /// Checks the words up to the matching <c>end</c> and returns their arguments without <c>end</c>.
    /// </summary>
    public static string[] TakeNested(Word owner, ArgumentCursor cursor)
    {
        int start = cursor.Position;
        while (!cursor.AtEnd)
        {
            if (cursor.Peek() == End)
            {
                string[] nested = cursor.Between(start, cursor.Position);
                _ = cursor.Take();
                return nested;
            }

            _ = ParseWord(cursor);
        }

        throw new UsageException($"'{owner.Name}' has no matching '{End}'");
    }

    private static Word ParseWord(ArgumentCursor cursor)
    {
        string name = cursor.Take();
        Word word = WordRegistry.Create(name) ?? throw new UsageException(
            name == End ? $"'{End}' without a word that it ends" : $"unknown word '{name}'");
        word.Read(cursor);
        return word;
    }
}
