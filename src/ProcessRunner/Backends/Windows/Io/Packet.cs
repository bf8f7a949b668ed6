using System.Runtime.Versioning;
using ProcessRunner.Backends.Reactors;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>Describes an event of a child that has come through the port.</summary>
[SupportedOSPlatform("windows")]
internal readonly unsafe struct Packet(ulong token, TransferBlock.Transfer* transfer, nuint status)
{
    /// <summary>Gets the token of the child, with the source.</summary>
    public ulong Token => token;

    /// <summary>Gets the part of the child that the packet belongs to.</summary>
    public EventPart Source => EventToken.Source(token);

    /// <summary>Gets the transfer that has ended, or null.</summary>
    public TransferBlock.Transfer* Transfer => transfer;

    /// <summary>Gets the status (NTSTATUS) of that transfer.</summary>
    public nuint Status => status;
}
