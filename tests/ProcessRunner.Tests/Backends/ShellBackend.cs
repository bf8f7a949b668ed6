using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Backends;

/// <summary>
/// Represents the empty form of a backend: the members that a new platform must provide. Each one throws.
/// </summary>
internal class ShellBackend : ProcessBackend
{
    public override LaunchFeatures Features => throw new NotSupportedException();

    public override BackendCapabilities Capabilities => throw new NotSupportedException();

    public override int ThreadCount => throw new NotSupportedException();

    public override long AvailableMemory => throw new NotSupportedException();

    public override BackendChild Create(ILaunchPlan plan, InheritedEnvironment? inherited, SlotVariable slot) =>
        throw new NotSupportedException();

    public override InheritedEnvironment TakeEnvironment() => throw new NotSupportedException();

    public override BackendTimer CreateTimer(Action<long> expired) => throw new NotSupportedException();

    public override void DoWhenIdle(Action action) => throw new NotSupportedException();

    public override bool HoldsUpOthers(long now) => throw new NotSupportedException();

    public override int EstimateRoom() => throw new NotSupportedException();

    public override JobTokens? OpenJobTokens() => throw new NotSupportedException();

    public override PipeConnection CreateConnection() => throw new NotSupportedException();

    public override TemporaryFile CreateTemporaryFile() => throw new NotSupportedException();

    public override LaunchException OutOfResources() => throw new NotSupportedException();

    public override HostGuard? HostGuard => throw new NotSupportedException();

    public override HangUpWatch? HangUps => throw new NotSupportedException();

    public override void Dispose() => throw new NotSupportedException();
}
