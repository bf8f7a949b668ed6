using ProcessRunner.Backends.Reactors;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>Describes an event of a child that has come through the port.</summary>
/// <param name="Source">The part of the child that it belongs to.</param>
/// <param name="HasFailed">Whether the transfer that ended has failed or was canceled.</param>
/// <param name="Count">The number of bytes of that transfer.</param>
internal readonly record struct Packet(EventSource Source, bool HasFailed, int Count);
