using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;

namespace PTest.Hosts;

/// <summary>
/// Writes events to the runner, one JSON object a line. The writer makes the JSON itself, because a serializer would
/// cost each process more time to load than all else that this assembly does. Safe from any thread.
/// </summary>
internal sealed class EventWriter : IDisposable
{
    /// <summary>A test can write gigabytes. Of a longer text the middle is left out.</summary>
    private const int MaxText = 1024 * 1024;

    private readonly object _lock = new();
    private readonly StringBuilder _line = new();
    private readonly Stream _stream;

    /// <param name="path">The file or the descriptor (a path of the form /proc/self/fd/N) to write to.</param>
    public EventWriter(string path) =>

        // The runtime opens files close-on-exec, so no child of a test inherits this one. Without a buffer of its own,
        // the stream has given each event to the kernel before the test that it announces can end the process.
        _stream = new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite, 1);

    /// <summary>Writes an event.</summary>
    /// <param name="name">The name of the event.</param>
    /// <param name="fields">Its fields; those without a value are left out.</param>
    public void Write(string name, params (string Name, string? Value)[] fields) => Write(name, null, fields);

    /// <summary>Writes an event with traits.</summary>
    public void Write(
        string name, Dictionary<string, List<string>>? traits, params (string Name, string? Value)[] fields)
    {
        lock (_lock)
        {
            _line.Clear();
            _line.Append("{\"event\":");
            Quote(name);
            _line.Append(",\"at\":").Append(DateTime.UtcNow.Ticks.ToString(CultureInfo.InvariantCulture));
            foreach ((string field, string? value) in fields)
            {
                if (value is not null)
                {
                    _line.Append(',');
                    Quote(field);
                    _line.Append(':');
                    Quote(Shortened(value));
                }
            }

            if (traits is { Count: > 0 })
            {
                WriteTraits(traits);
            }

            _line.Append("}\n");
            byte[] bytes = Encoding.UTF8.GetBytes(_line.ToString());
            _stream.Write(bytes, 0, bytes.Length);
            _stream.Flush();
        }
    }

    public void Dispose() => _stream.Dispose();

    private static string Shortened(string text) => text.Length <= MaxText ? text
        : new StringBuilder(text, 0, MaxText / 2, MaxText + 64)
            .Append("\n... ").Append((text.Length - MaxText).ToString(CultureInfo.InvariantCulture))
            .Append(" characters ...\n").Append(text, text.Length - (MaxText / 2), MaxText / 2).ToString();

    private void WriteTraits(Dictionary<string, List<string>> traits)
    {
        _line.Append(",\"traits\":[");
        bool isFirst = true;
        foreach (KeyValuePair<string, List<string>> trait in traits)
        {
            foreach (string value in trait.Value)
            {
                _line.Append(isFirst ? "" : ",");
                Quote($"{trait.Key}={value}");
                isFirst = false;
            }
        }

        _line.Append(']');
    }

    private void Quote(string text)
    {
        _line.Append('"');
        for (int index = 0; index < text.Length; index++)
        {
            char c = text[index];
            bool isPair = char.IsHighSurrogate(c) && index + 1 < text.Length && char.IsLowSurrogate(text[index + 1]);
            if (c is '"' or '\\')
            {
                _line.Append('\\').Append(c);
            }
            else if (isPair)
            {
                _line.Append(c).Append(text[++index]);
            }
            else if (char.IsSurrogate(c))
            {
                // A test's name may hold half a pair, which neither UTF-8 nor a reader of JSON takes.
                _line.Append('\ufffd');
            }
            else if (c < ' ')
            {
                _line.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
            }
            else
            {
                _line.Append(c);
            }
        }

        _line.Append('"');
    }
}
