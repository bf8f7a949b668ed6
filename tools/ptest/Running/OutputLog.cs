using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using ProcessRunner;
using PTest.Hosts;

namespace PTest.Running;

/// <summary>
/// Keeps what a process wrote, with the position of each line: the first and the last half of a megabyte. Filled by one
/// callback at a time, and read once the process has ended.
/// </summary>
internal sealed class OutputLog
{
    private const int Half = 512 * 1024;

    private readonly List<(OutputPosition Position, string Text)> _head = [];
    private readonly Queue<(OutputPosition Position, string Text)> _tail = [];
    private int _headLength;
    private int _tailLength;
    private int _outputMark;
    private int _errorMark;

    public void Add(OutputLine line)
    {
        ref int last = ref line.IsError ? ref _errorMark : ref _outputMark;
        OutputPosition position = new(line.Timestamp.UtcDateTime, last);
        (string text, int mark) = Split(line.Content);
        if (mark == 0)
        {
            Keep(position, line.Content);
            return;
        }

        last = mark;
        if (text.Length > 0)
        {
            Keep(position, text);
        }
    }

    /// <summary>
    /// Gets what was written between two positions. The moments of lines are those at which they were read, so they
    /// count only where there are no marks.
    /// </summary>
    public string Between(OutputPosition start, OutputPosition end)
    {
        StringBuilder text = new();
        foreach ((OutputPosition position, string line) in _head.Concat(_tail))
        {
            if ((start.Mark is null ? position.Moment >= start.Moment : position.Mark >= start.Mark)
                && (end.Mark is null ? position.Moment <= end.Moment : position.Mark < end.Mark))
            {
                text.Append(line).Append('\n');
            }
        }

        return text.ToString();
    }

    private void Keep(OutputPosition position, string text)
    {
        if (_headLength < Half)
        {
            _headLength += text.Length + 1;
            _head.Add((position, text));
            return;
        }

        _tailLength += text.Length + 1;
        _tail.Enqueue((position, text));
        while (_tailLength > Half)
        {
            _tailLength -= _tail.Dequeue().Text.Length + 1;
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
