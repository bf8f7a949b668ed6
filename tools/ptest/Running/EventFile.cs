using System;
using System.IO;
using System.Threading;
using Microsoft.Win32.SafeHandles;
using PTest.Hosts;

namespace PTest.Running;

/// <summary>
/// Reads the events that a host writes to its file. <see cref="Watch"/> reads while the process runs, and the session
/// reads the rest and closes the file.
/// </summary>
internal sealed class EventFile(string path) : IDisposable
{
    private const int FirstBuffer = 16 * 1024;

    private readonly Lock _lock = new();
    private SafeFileHandle? _file;
    private byte[] _buffer = [];
    private int _length;
    private long _position;
    private bool _isClosed;

    /// <summary>Gives the events since the last time to their run.</summary>
    public void ReadTo(UnitRun run)
    {
        lock (_lock)
        {
            // A host of vstest writes no such file.
            if (_isClosed || (_file is null && !File.Exists(path)))
            {
                return;
            }

            _file ??= File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
            while (Fill())
            {
                Take(run);
            }
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _isClosed = true;
            _file?.Dispose();
        }
    }

    private bool Fill()
    {
        if (_length == _buffer.Length)
        {
            Array.Resize(ref _buffer, Math.Max(FirstBuffer, _length * 2));
        }

        int count = RandomAccess.Read(_file!, _buffer.AsSpan(_length), _position);
        _position += count;
        _length += count;
        return count > 0;
    }

    /// <summary>Takes whole lines. The rest is the beginning of a line that the host writes right now.</summary>
    private void Take(UnitRun run)
    {
        int taken = 0;
        while (_buffer.AsSpan(taken, _length - taken).IndexOf((byte)'\n') is >= 0 and int length)
        {
            if (HostEvent.Parse(_buffer.AsSpan(taken, length)) is HostEvent happening)
            {
                run.On(happening);
            }

            taken += length + 1;
        }

        _buffer.AsSpan(taken, _length - taken).CopyTo(_buffer);
        _length -= taken;
    }
}
