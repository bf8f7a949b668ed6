using System;

namespace ProcessRunner.TestChild.Words;

internal sealed class SignalWord : SignalBaseWord
{
    public const string Id = "signal";

    public override string Name => Id;

    public override string Description => "sends SIGNAL to itself, after giving it its default disposition";

    public override void Run()
    {
        // KILL and STOP fail here, and do not need the default disposition.
        _ = LibC.SetDisposition(Signal, LibC.DefaultDisposition);
        _ = LibC.Kill(Environment.ProcessId, Signal);
    }
}
