using System;
using System.IO;
using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Represents a temporary file on a disk that may be full.</summary>
internal sealed class SimulatedFile(SimulatedBackend backend, long capacity) : TemporaryFile
{
    private readonly MemoryStream _bytes = new();
    private bool _isDisposed;

    public override void Append(ReadOnlySpan<byte> bytes)
    {
        World.Require(!_isDisposed, "Nothing writes to a file that is gone.");
        if (Length + bytes.Length > capacity)
        {
            throw new IOException("The simulated disk is full.");
        }

        _bytes.Write(bytes);
        Length += bytes.Length;
    }

    public override int Read(Span<byte> buffer, long offset)
    {
        World.Require(!_isDisposed, "Nothing reads a file that is gone.");
        _bytes.Position = offset;
        return _bytes.Read(buffer);
    }

    public override void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            backend.Files--;
        }
    }
}
