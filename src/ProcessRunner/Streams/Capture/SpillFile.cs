using System;
using System.IO;
using Microsoft.Win32.SafeHandles;

namespace ProcessRunner.Streams.Capture;

/// <summary>
/// A temporary file without a name: deleted as soon as it is open, so that it vanishes with its handle, however this
/// process ends. Written by one delivery thread; read once that has ended.
/// </summary>
internal sealed class SpillFile : IDisposable
{
    private readonly SafeFileHandle _handle;

    /// <exception cref="IOException">The temporary directory cannot be written.</exception>
    public SpillFile()
    {
        string path = Path.Combine(Path.GetTempPath(), $"processrunner-{Guid.NewGuid():N}");
        _handle = File.OpenHandle(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None);
        File.Delete(path);
    }

    /// <summary>The number of bytes in it.</summary>
    public long Length { get; private set; }

    /// <exception cref="IOException">The disk is full, say.</exception>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        RandomAccess.Write(_handle, bytes, Length);
        Length += bytes.Length;
    }

    /// <summary>Reads from a place.</summary>
    public int Read(Span<byte> buffer, long offset) => RandomAccess.Read(_handle, buffer, offset);

    /// <summary>Lets the file vanish now.</summary>
    public void Dispose() => _handle.Dispose();
}
