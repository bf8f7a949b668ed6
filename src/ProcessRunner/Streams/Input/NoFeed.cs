using System;

namespace ProcessRunner.Streams.Input;

/// <summary>The feed of an input that no byte of comes from us. It has no state, so one serves all.</summary>
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
