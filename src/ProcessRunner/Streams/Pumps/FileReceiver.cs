using System;
using System.IO;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Pumps;

/// <summary>
/// Writes a stream of a child to a file on a delivery thread. A write that fails ends the delivery with its exception.
/// </summary>
/// <remarks>
/// .NET cannot open a file so that each write goes to its end. The writes of this process that append to a file come
/// one at a time instead (<see cref="AppendLock"/>). A FIFO or a terminal has no end to go to, and needs no lock: a
/// write can block there as long as the reader likes.
/// </remarks>
internal sealed class FileReceiver(string path, bool append, ChildOutput stream) : ByteReceiver
{
    private FileStream? _file;
    private AppendLock? _lock;

    public override void Open()
    {
        ManagedFileSize.Handle();
        _file = PumpedFile.Open(
            path,
            append ? FileMode.OpenOrCreate : FileMode.Create,
            FileAccess.Write,
            stream == ChildOutput.Output ? "output" : "error");
        _lock = append && _file.CanSeek ? AppendLock.Of(path) : null;
    }

    public override void CloseUnstarted() => Close(_file);

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        if (_lock is null)
        {
            Write(bytes);
            return;
        }

        lock (_lock)
        {
            _file!.Seek(0, SeekOrigin.End);
            Write(bytes);
        }
    }

    public override void OnEnd(bool isWhole) => Close(_file);

    private void Write(ReadOnlySpan<byte> bytes)
    {
        try
        {
            _file!.Write(bytes);
        }
        catch (ArgumentOutOfRangeException exception)
        {
            throw ManagedFileSize.ErrorOf(exception, path);
        }
    }

    private void Close(FileStream? file)
    {
        try
        {
            file?.Dispose();
        }
        finally
        {
            _lock?.Leave();
            _lock = null;
        }
    }
}
