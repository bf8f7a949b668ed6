using System;
using System.IO;

namespace ProcessRunner.Backends;

/// <summary>
/// Represents a file without a name, which no other process can open and which vanishes with its handle, however this
/// process ends. One thread writes it. Reads follow once the writes have ended.
/// </summary>
internal abstract class TemporaryFile : IDisposable
{
    /// <summary>Gets the number of bytes in the file; after a failure, the number that were written before.</summary>
    public long Length { get; protected set; }

    /// <summary>Writes bytes at the end of the file.</summary>
    /// <exception cref="IOException">
    /// The write failed, for example because the disk is full or the file would exceed this process's limit.
    /// </exception>
    public abstract void Append(ReadOnlySpan<byte> bytes);

    /// <summary>Reads bytes at an offset.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public abstract int Read(Span<byte> buffer, long offset);

    /// <summary>Removes the file now. Any thread.</summary>
    public abstract void Dispose();
}
