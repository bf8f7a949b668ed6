using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Batch.Commands;

/// <summary>Represents a word of a command template: literal text and placeholders in turn.</summary>
internal sealed class TemplateWord
{
    private readonly ImmutableArray<Piece> _pieces;

    public TemplateWord(string text) => _pieces = [.. Split(text)];

    public bool HasPlaceholder => _pieces.Any(piece => piece.Kind is not null);

    public bool HasSlot => _pieces.Any(piece => piece.Kind == Placeholder.Slot);

    /// <summary>Creates the word for a job.</summary>
    /// <param name="job">The job that provides the item and the number.</param>
    /// <param name="slot">The text that replaces <c>{%}</c>.</param>
    /// <param name="literal">Converts the literal text.</param>
    /// <param name="value">Converts every text that comes from the item.</param>
    public string Fill(Job job, string slot, Func<string, string> literal, Func<string, string> value)
    {
        if (_pieces is [{ Kind: null } only])
        {
            return literal(only.Text);
        }

        StringBuilder filled = new();
        foreach (Piece piece in _pieces)
        {
            filled.Append(piece.Kind switch
            {
                null => literal(piece.Text),
                Placeholder.Sequence => job.Sequence.ToString(CultureInfo.InvariantCulture),
                Placeholder.Slot => slot,
                Placeholder kind => value(Placeholders.Value(kind, job.Item)),
            });
        }

        return filled.ToString();
    }

    private static IEnumerable<Piece> Split(string text)
    {
        int literalStart = 0;
        int at = 0;
        while (at < text.Length)
        {
            if (text[at] == '{' && Placeholders.At(text.AsSpan(at)) is (string token, Placeholder kind))
            {
                if (at > literalStart)
                {
                    yield return new Piece(text[literalStart..at], null);
                }

                yield return new Piece(token, kind);
                at += token.Length;
                literalStart = at;
            }
            else
            {
                at++;
            }
        }

        // An empty word is a word, too.
        if (literalStart < text.Length || text.Length == 0)
        {
            yield return new Piece(text[literalStart..], null);
        }
    }

    private readonly record struct Piece(string Text, Placeholder? Kind);
}
