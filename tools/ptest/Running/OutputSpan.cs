using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using PTest.Hosts;

namespace PTest.Running;

/// <summary>Keeps the beginning and the end of what was written between two marks, up to a length.</summary>
internal sealed class OutputSpan
{
    /// <summary>The longest text of one span, in characters.</summary>
    private const int Longest = 1024 * 1024;

    private readonly List<(OutputPosition Position, string Text)> _head = [];
    private readonly Queue<(OutputPosition Position, string Text)> _tail = [];
    private int _half = Longest / 2;
    private int _headLength;
    private int _tailLength;
    private long _lost;

    // Between these two moments something was left out.
    private DateTime _lostFrom = DateTime.MaxValue;
    private DateTime _lostTo;

    /// <summary>Gets how many characters are kept.</summary>
    public int Length => _headLength + _tailLength;

    public void Add(OutputPosition position, string text)
    {
        if (_headLength < _half && _tail.Count == 0 && _lost == 0)
        {
            _headLength += text.Length + 1;
            _head.Add((position, text));
            return;
        }

        _tailLength += text.Length + 1;
        _tail.Enqueue((position, text));
        TrimTail();
    }

    /// <summary>Leaves out half of what is kept, and as much of what comes.</summary>
    public void Halve()
    {
        _half = Length / 4;
        TrimTail();
        while (_headLength > _half)
        {
            _headLength -= Lose(_head[^1]);
            _head.RemoveAt(_head.Count - 1);
        }
    }

    /// <summary>Gets the lines at some positions, and in the place of what is left out how much that is.</summary>
    /// <param name="isAt">Returns whether a position is one of them.</param>
    /// <param name="start">The moment at which the first of them was written.</param>
    /// <param name="end">The moment at which the last of them was.</param>
    public IEnumerable<string> Lines(Func<OutputPosition, bool> isAt, DateTime start, DateTime end)
    {
        string[] lost = _lost > 0 && _lostFrom <= end && _lostTo >= start
            ? [string.Create(CultureInfo.InvariantCulture, $"... {_lost} characters ...")]
            : [];
        return [.. TextsOf(_head, isAt), .. lost, .. TextsOf(_tail, isAt)];
    }

    private static IEnumerable<string> TextsOf(
        IEnumerable<(OutputPosition Position, string Text)> lines, Func<OutputPosition, bool> isAt) =>
        lines.Where(line => isAt(line.Position)).Select(line => line.Text);

    private void TrimTail()
    {
        while (_tailLength > _half)
        {
            _tailLength -= Lose(_tail.Dequeue());
        }
    }

    private int Lose((OutputPosition Position, string Text) line)
    {
        DateTime moment = line.Position.Moment;
        _lostFrom = moment < _lostFrom ? moment : _lostFrom;
        _lostTo = moment > _lostTo ? moment : _lostTo;
        _lost += line.Text.Length + 1;
        return line.Text.Length + 1;
    }
}
