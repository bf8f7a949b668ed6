using System.Runtime.CompilerServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Reactors;

namespace ProcessRunner.Backends.Windows.Io;

/// <inheritdoc/>
[SupportedOSPlatform("windows")]
internal sealed class CompletionThread(CompletionReactor reactor, int index) : ReactorThread(reactor, index)
{
    private readonly CompletionReactor _reactor = reactor;

    protected override int Sleep(int timeout) => _reactor.Sleep(timeout);

    // Not inlined, so that no local of the loop keeps a finished child alive while the thread sleeps.
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void HandleReady(int count)
    {
        while (_reactor.TryTake(this, out WindowsChild? child, out Packet packet))
        {
            child.OnPacket(packet);
        }
    }

    protected override void HandleDeadline(BackendChild child) => ((WindowsChild)child).OnDeadline();

    protected override void FreeMemory()
    {
    }
}
