using System;
using System.Collections.Generic;
using System.IO.Enumeration;
using System.Linq;
using PTest.Suites;

namespace PTest.Selection;

/// <summary>
/// Represents a choice of tests: words of the form <c>class:NAME</c>, joined by and, or, not and parentheses, or by the
/// signs of the filters of <c>dotnet test</c>. A word without a kind is a part of the full name or of the display name.
/// A name with <c>*</c> must match as a whole, one without as a part.
/// </summary>
internal sealed class TestFilter
{
    private static readonly string[] s_kinds = ["class", "method", "name", "trait", "assembly", "collection"];

    private readonly Func<TestCase, bool> _chooses;

    private TestFilter(Func<TestCase, bool> chooses) => _chooses = chooses;

    /// <summary>Gets whether the traits of tests decide.</summary>
    public bool UsesTraits { get; private init; }

    public bool Chooses(TestCase test) => _chooses(test);

    /// <summary>Reads a filter.</summary>
    /// <exception cref="FormatException">The text is none.</exception>
    public static TestFilter Parse(string text)
    {
        Queue<string> words = new(Words(text));
        Func<TestCase, bool> filter = Any(words);
        return words.Count == 0
            ? new TestFilter(filter)
            {
                UsesTraits = Words(text).Any(word => word.StartsWith("trait:", StringComparison.Ordinal)),
            }
            : throw new FormatException($"'{words.Peek()}' stands where 'and', 'or' or the end was expected");
    }

    private static Func<TestCase, bool> Any(Queue<string> words)
    {
        Func<TestCase, bool> left = Both(words);
        while (Takes(words, "or", "|"))
        {
            (Func<TestCase, bool> one, Func<TestCase, bool> other) = (left, Both(words));
            left = test => one(test) || other(test);
        }

        return left;
    }

    private static Func<TestCase, bool> Both(Queue<string> words)
    {
        Func<TestCase, bool> left = Single(words);
        while (Takes(words, "and", "&"))
        {
            (Func<TestCase, bool> one, Func<TestCase, bool> other) = (left, Single(words));
            left = test => one(test) && other(test);
        }

        return left;
    }

    private static Func<TestCase, bool> Single(Queue<string> words)
    {
        if (Takes(words, "not", "!"))
        {
            Func<TestCase, bool> denied = Single(words);
            return test => !denied(test);
        }

        if (Takes(words, "(", "("))
        {
            Func<TestCase, bool> inner = Any(words);
            return Takes(words, ")", ")") ? inner : throw new FormatException("a ')' is missing");
        }

        return words.TryDequeue(out string? word) && word is not (")" or "and" or "or") ? Word(word)
            : throw new FormatException("a test's name, 'not' or '(' was expected");
    }

    private static Func<TestCase, bool> Word(string word)
    {
        if (VSTestWord.Translate(word) is string translation)
        {
            throw new FormatException($"'{word}' is for dotnet test. Here it is '{translation}'");
        }

        int colon = word.IndexOf(':');
        string kind = colon < 0 ? "name" : word[..colon];
        string pattern = word[(colon + 1)..];
        if (!s_kinds.Contains(kind))
        {
            throw new FormatException($"'{kind}' is not a kind of name: {string.Join(", ", s_kinds)}");
        }

        if (pattern.Length == 0)
        {
            throw new FormatException($"'{word}' has no name, and would choose every test");
        }

        return kind switch
        {
            "class" => test => Matches(pattern, test.ClassName),
            "method" => test => Matches(pattern, test.MethodName),
            "assembly" => test => Matches(pattern, test.Assembly.Name),
            "collection" => test => Matches(pattern, test.Collection),
            "trait" => test => test.Traits.Any(trait => HasTrait(pattern, trait)),
            _ => test => Matches(pattern, test.FullName) || Matches(pattern, test.DisplayName),
        };
    }

    private static bool HasTrait(string pattern, string trait) => pattern.Contains('=')
        ? pattern.Contains('*') ? Matches(pattern, trait) : trait.Equals(pattern, StringComparison.Ordinal)
        : trait.StartsWith($"{pattern}=", StringComparison.Ordinal);

    private static bool Matches(string pattern, string name) => pattern.Contains('*')
        ? FileSystemName.MatchesSimpleExpression(pattern.Replace("\\", "\\\\", StringComparison.Ordinal), name, false)
        : name.Contains(pattern, StringComparison.Ordinal);

    private static bool Takes(Queue<string> words, string word, string sign)
    {
        if (words.TryPeek(out string? next) && (next == word || next == sign))
        {
            words.Dequeue();
            return true;
        }

        return false;
    }

    private static IEnumerable<string> Words(string text)
    {
        int index = 0;
        while (index < text.Length)
        {
            char c = text[index];
            if (char.IsWhiteSpace(c))
            {
                index++;
            }
            else if (c is '(' or ')' or '!' or '&' or '|')
            {
                index++;
                yield return c.ToString();
            }
            else
            {
                // Quotes allow blanks and signs in a name: trait:"Kind=slow (two)".
                (string word, index) = Name(text, index);
                yield return word;
            }
        }
    }

    private static (string Word, int End) Name(string text, int index)
    {
        List<char> word = [];
        bool isQuoted = false;
        while (index < text.Length
            && (isQuoted || !(char.IsWhiteSpace(text[index]) || text[index] is '(' or ')' or '&' or '|')))
        {
            if (text[index] == '"')
            {
                isQuoted = !isQuoted;
            }
            else
            {
                word.Add(text[index]);
            }

            index++;
        }

        return isQuoted ? throw new FormatException("a '\"' is missing") : (string.Concat(word), index);
    }
}
