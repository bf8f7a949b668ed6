namespace ProcessRunner.Backends.Reactors;

/// <summary>
/// Specifies the part of a child that an event belongs to. A thread that polls them itself polls the sources before
/// <see cref="Input"/>, the exit last.
/// </summary>
internal enum EventPart : byte
{
    Output,
    Error,
    Exit,
    Input,

    /// <summary>The channel with the lowest number; the others follow it.</summary>
    Channel,
}
