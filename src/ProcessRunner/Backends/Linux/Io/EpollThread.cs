using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <inheritdoc/>
/// <remarks>
/// The successor of a replaced thread receives the events that the latter fetched, because no descriptor with an
/// interest is watched edge-triggered.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class EpollThread : ReactorThread
{
    private const int EventCapacity = 256;

    private readonly EpollReactor _reactor;

    // Allocated before the thread begins, when a shortage can still be reported.
    private readonly EpollEvents _events;
    private readonly (LinuxChild Child, ulong Token)[] _ready = new (LinuxChild, ulong)[EventCapacity];

    public EpollThread(EpollReactor reactor, int index)
        : base(reactor, index)
    {
        _reactor = reactor;
        _events = new EpollEvents((byte*)NativeMemory.Alloc((nuint)(EventCapacity * EpollEvents.Size)));
    }

    protected override int Sleep(int timeout) => _reactor.Sleep(_events, EventCapacity, timeout);

    // Not inlined, so that no local of the loop keeps a finished child alive while the thread sleeps.
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void HandleReady(int count)
    {
        int resolved = _reactor.Resolve(_events, count, _ready);
        for (int i = 0; i < resolved && IsServing; i++)
        {
            _ready[i].Child.OnReady(EventToken.Source(_ready[i].Token), DescriptorWatcher.Reactor);
        }

        Array.Clear(_ready, 0, resolved);
    }

    protected override void HandleDeadline(BackendChild child) => ((LinuxChild)child).OnDeadline();

    protected override void FreeMemory() => NativeMemory.Free(_events.Address);
}
