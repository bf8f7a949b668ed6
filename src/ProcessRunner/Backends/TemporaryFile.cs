using System;
using System.IO;

namespace ProcessRunner.Backends;

/// <summary>
/// A file without a name, which nobody else can open and which vanishes with its handle, however this process ends. Written by
/// one thread; read once that has ended.
/// </summary>
internal abstract class TemporaryFile : IDisposable
{
    /// <summary>The number of bytes in it: after a failure as many as were written before.</summary>
    public long Length { get; protected set; }

    /// <summary>Writes bytes behind those that are there.</summary>
    /// <exception cref="IOException">The disk is full, say, or the file larger than this process may make one.</exception>
    public abstract void Append(ReadOnlySpan<byte> bytes);

    /// <summary>Reads from a place.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public abstract int Read(Span<byte> buffer, long offset);

    /// <summary>Lets the file vanish now. Any thread.</summary>
    public abstract void Dispose();
}
