using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace Batch.Items;

/// <summary>
/// Reads a stream on demand, record by record. Unlike <see cref="StreamReader"/>, it knows only one separator, so that
/// a name keeps its carriage returns, and it refuses invalid UTF-8 instead of replacing it.
/// </summary>
internal sealed class RecordReader(Stream stream, byte separator, string source)
{
    private static readonly UTF8Encoding s_strict =
        new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    // No system takes a longer argument. The list most likely has another separator.
    private const int MostBytes = 1 << 20;

    private readonly byte[] _buffer = new byte[64 * 1024];
    private readonly ArrayBufferWriter<byte> _begun = new();
    private long _records;

    /// <summary>Reads the records without their separators. The last record may lack a separator.</summary>
    /// <exception cref="UsageException">
    /// The stream cannot be read, or a record is too long or not valid UTF-8.
    /// </exception>
    public IEnumerable<string> Records()
    {
        while (Fill() is int filled and > 0)
        {
            int start = 0;
            while (Array.IndexOf(_buffer, separator, start, filled - start) is int end and >= 0)
            {
                yield return Record(start, end - start);
                start = end + 1;
            }

            _begun.Write(_buffer.AsSpan(start, filled - start));
            if (_begun.WrittenCount > MostBytes)
            {
                throw new UsageException(
                    $"item {_records + 1} of {source} is longer than 1 MiB; items end with a line's end, or with a NUL "
                    + "character if --null is given.");
            }
        }

        if (_begun.WrittenCount > 0)
        {
            yield return Record(0, 0);
        }
    }

    private int Fill()
    {
        try
        {
            return stream.Read(_buffer);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{source} cannot be read: {exception.Message}");
        }
    }

    private string Record(int start, int length)
    {
        _records++;
        try
        {
            if (_begun.WrittenCount == 0)
            {
                return s_strict.GetString(_buffer, start, length);
            }

            _begun.Write(_buffer.AsSpan(start, length));
            string record = s_strict.GetString(_begun.WrittenSpan);
            _begun.ResetWrittenCount();
            return record;
        }
        catch (DecoderFallbackException)
        {
            throw new UsageException(
                $"item {_records} of {source} is not UTF-8 text; convert the list, or rename the file that it names.");
        }
    }
}
