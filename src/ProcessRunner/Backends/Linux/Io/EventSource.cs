namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Specifies which of a child's descriptors an event belongs to. A <see cref="WaiterLoop"/> polls the sources before
/// <see cref="Input"/>, the exit last.
/// </summary>
internal enum EventSource : byte
{
    Output,
    Error,
    Exit,
    Input,
}
