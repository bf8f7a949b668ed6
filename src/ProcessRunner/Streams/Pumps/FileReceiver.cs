using System;
using System.IO;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Pumps;

/// <summary>
/// Writes a stream of a child to a file on a delivery thread. A write that fails ends the delivery with its exception.
/// </summary>
/// <remarks>
/// .NET cannot open a file so that each write goes to its end. The writes of this process that append to a file come
/// one at a time instead: the lock serves the whole process, because any two runs may append to one file.
/// </remarks>
internal sealed class FileReceiver(string path, bool append, StandardStream stream) : ByteReceiver
{
    private static readonly Lock s_appends = new();

    private FileStream? _file;

    public override void Open() => _file = PumpedFile.Open(
        path,
        append ? FileMode.OpenOrCreate : FileMode.Create,
        FileAccess.Write,
        stream == StandardStream.Output ? "output" : "error");

    public override void CloseUnstarted() => _file?.Dispose();

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        if (append)
        {
            Append(bytes);
        }
        else
        {
            _file!.Write(bytes);
        }
    }

    public override void OnEnd(bool isWhole) => _file!.Dispose();

    private void Append(ReadOnlySpan<byte> bytes)
    {
        lock (s_appends)
        {
            // A FIFO or a terminal has no end to go to.
            if (_file!.CanSeek)
            {
                _file.Seek(0, SeekOrigin.End);
            }

            _file.Write(bytes);
        }
    }
}
