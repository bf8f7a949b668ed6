using System;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Backends;

/// <summary>
/// Represents the empty form of a child: the members that a new platform must provide. Each one throws.
/// </summary>
internal class ShellChild : BackendChild
{
    public override bool HasUnreadOutput => throw new NotSupportedException();

    public override bool HasExited => throw new NotSupportedException();

    public override void Watch(IChildEvents events, ChildStreams streams) => throw new NotSupportedException();

    public override void Start() => throw new NotSupportedException();

    public override void Begin() => throw new NotSupportedException();

    public override void Serve() => throw new NotSupportedException();

    public override void SetDeadline(long instant) => throw new NotSupportedException();

    public override bool RequestStop(PosixSignal signal) => throw new NotSupportedException();

    public override bool RequestStop(Descendant descendant, PosixSignal signal) => throw new NotSupportedException();

    public override void Kill() => throw new NotSupportedException();

    public override void Kill(Descendant descendant) => throw new NotSupportedException();

    public override void Interrupt() => throw new NotSupportedException();

    public override SignalDelivery TrySignal(PosixSignal signal) => throw new NotSupportedException();

    public override void Survey() => throw new NotSupportedException();

    public override void ExemptFromExitKill() => throw new NotSupportedException();

    public override int Read(ChildOutput stream, Span<byte> room, out bool hasEnded) =>
        throw new NotSupportedException();

    public override void ResumeOutput(ChildOutput stream) => throw new NotSupportedException();

    public override void ResumeInput() => throw new NotSupportedException();

    public override bool DrainOutput() => throw new NotSupportedException();

    public override bool IsOpen(ChildOutput stream) => throw new NotSupportedException();

    public override void StopReading(ChildOutput stream) => throw new NotSupportedException();

    public override ResourceUse Release() => throw new NotSupportedException();
}
