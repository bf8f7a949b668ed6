using System;

namespace ProcessRunner.Streams.Input;

/// <summary>Provides input that is completely available from the beginning.</summary>
internal sealed class MemoryFeed(ReadOnlyMemory<byte> bytes) : StreamFeed
{
    private ReadOnlyMemory<byte> _rest = bytes;

    public override ReadOnlyMemory<byte> Pending => _rest;

    public override bool IsComplete => true;

    public override void Advance(int count) => _rest = _rest.IsEmpty ? default : _rest[count..];

    public override void Abandon() => _rest = default;
}
