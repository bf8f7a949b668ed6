using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using ProcessRunner;

namespace PTest.Running;

/// <summary>
/// Keeps what a process wrote, with the time of each line: the first and the last half of a megabyte. Filled by one
/// callback at a time, and read once the process has ended.
/// </summary>
internal sealed class OutputLog
{
    private const int Half = 512 * 1024;

    private readonly List<OutputLine> _head = [];
    private readonly Queue<OutputLine> _tail = [];
    private int _headLength;
    private int _tailLength;

    public void Add(OutputLine line)
    {
        if (_headLength < Half)
        {
            _headLength += line.Content.Length + 1;
            _head.Add(line);
            return;
        }

        _tailLength += line.Content.Length + 1;
        _tail.Enqueue(line);
        while (_tailLength > Half)
        {
            _tailLength -= _tail.Dequeue().Content.Length + 1;
        }
    }

    /// <summary>Gets what was written in a span of time.</summary>
    public string Between(DateTime start, DateTime end)
    {
        StringBuilder text = new();
        foreach (OutputLine line in _head.Concat(_tail))
        {
            DateTime moment = line.Timestamp.UtcDateTime;
            if (moment >= start && moment <= end)
            {
                text.Append(line.Content).Append('\n');
            }
        }

        return text.ToString();
    }
}
