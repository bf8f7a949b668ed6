using System;

namespace ProcessRunner.Streams;

/// <summary>The sink of a stream that no byte of reaches us.</summary>
internal sealed class NoSink : StreamSink
{
    public override Span<byte> Room => default;

    public override void Commit(int count)
    {
    }

    public override void Append(ReadOnlySpan<byte> bytes) =>
        throw new InvalidOperationException("A stream that is not bound to a pipe has no bytes for us.");

    public override CapturedOutput Captured(ProcessCommand command, bool isHeldOpen) =>
        new(default, command.Encoding) { IsHeldOpen = isHeldOpen };
}
