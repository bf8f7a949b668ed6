using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Results;

/// <summary>Represents a file that has its bytes from a function, however long it is.</summary>
internal sealed class FormulaFile : TemporaryFile
{
    private readonly Func<long, byte> _byteAt;

    public FormulaFile(long length, Func<long, byte> byteAt)
    {
        Length = length;
        _byteAt = byteAt;
    }

    public override void Append(ReadOnlySpan<byte> bytes) => throw new NotSupportedException();

    public override int Read(Span<byte> buffer, long offset)
    {
        int count = (int)Math.Min(buffer.Length, Length - offset);
        for (int i = 0; i < count; i++)
        {
            buffer[i] = _byteAt(offset + i);
        }

        return count;
    }

    public override void Dispose()
    {
    }
}
