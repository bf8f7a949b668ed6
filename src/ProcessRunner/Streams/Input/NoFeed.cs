using System;

namespace ProcessRunner.Streams.Input;

/// <summary>
/// Represents the feed of an input that bypasses this process. It has no state, so that one instance serves all inputs.
/// </summary>
internal sealed class NoFeed : StreamFeed
{
    private NoFeed()
    {
    }

    public static NoFeed Instance { get; } = new();

    public override ReadOnlyMemory<byte> Pending => default;

    public override bool IsComplete => true;

    public override void Advance(int count)
    {
    }

    public override void Abandon()
    {
    }
}
