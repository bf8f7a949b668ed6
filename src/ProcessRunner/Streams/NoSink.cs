using System;

namespace ProcessRunner.Streams;

/// <summary>
/// Represents the sink of a stream that bypasses this process. It has no state, so that one instance serves all
/// streams.
/// </summary>
internal sealed class NoSink : StreamSink
{
    private NoSink()
    {
    }

    public static NoSink Instance { get; } = new();

    public override Span<byte> GetRoom() => default;

    public override void Commit(int count)
    {
    }

    public override void Append(ReadOnlySpan<byte> bytes) =>
        throw new InvalidOperationException("A stream that is not bound to a pipe has no bytes for us.");

    public override void LetGo()
    {
    }

    public override CapturedOutput Captured(Decoding decoding, bool isHeldOpen) =>
        CapturedOutput.Empty;
}
