using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using ProcessRunner;
using PTest.Hosts;

namespace PTest.Running;

/// <summary>
/// Keeps what a process wrote, with the position of each line. Each test has a span of its own where the host writes
/// marks. If all of them become too long, the longest ones are shortened, so that a test that writes little loses
/// nothing to others. Filled by one callback at a time, and read once the process has ended.
/// </summary>
internal sealed class OutputLog
{
    /// <summary>The longest text of a process, in characters.</summary>
    private const int Longest = 4 * 1024 * 1024;

    private readonly SortedDictionary<int, OutputSpan> _spans = [];
    private int _length;
    private int _outputMark;
    private int _errorMark;

    public void Add(OutputLine line)
    {
        ref int last = ref line.IsError ? ref _errorMark : ref _outputMark;
        OutputPosition position = new(line.Timestamp.UtcDateTime, last);
        (string text, int mark) = Split(line.Content);
        if (mark == 0)
        {
            Keep(position, line.Content, last);
            return;
        }

        if (text.Length > 0)
        {
            Keep(position, text, last);
        }

        last = mark;
    }

    /// <summary>
    /// Gets what was written between two positions. The moments of lines are those at which they were read, so they
    /// count only where there are no marks.
    /// </summary>
    public string Between(OutputPosition start, OutputPosition end)
    {
        DateTime first = start.Mark is null ? start.Moment : DateTime.MinValue;
        DateTime last = end.Mark is null ? end.Moment : DateTime.MaxValue;
        StringBuilder text = new();
        foreach (OutputSpan span in _spans
            .Where(one => !(one.Key < start.Mark) && !(one.Key >= end.Mark)).Select(one => one.Value))
        {
            foreach (string line in span.Lines(at => at.Moment >= first && at.Moment <= last, first, last))
            {
                text.Append(line).Append('\n');
            }
        }

        return text.ToString();
    }

    private void Keep(OutputPosition position, string text, int mark)
    {
        if (!_spans.TryGetValue(mark, out OutputSpan? span))
        {
            _spans.Add(mark, span = new OutputSpan());
        }

        int before = span.Length;
        span.Add(position, text);
        _length += span.Length - before;
        while (_length > Longest)
        {
            OutputSpan longest = _spans.Values.MaxBy(one => one.Length)!;
            _length -= longest.Length;
            longest.Halve();
            _length += longest.Length;
        }
    }

    // A test, or a process that it has started, can leave its last line without an end.
    private static (string Text, int Mark) Split(string line)
    {
        int position = line.LastIndexOf(OutputMarks.Prefix, StringComparison.Ordinal);
        return position >= 0
            && int.TryParse(
                line.AsSpan(position + OutputMarks.Prefix.Length), NumberStyles.None, CultureInfo.InvariantCulture,
                out int mark)
            ? (line[..position], mark)
            : (line, 0);
    }
}
