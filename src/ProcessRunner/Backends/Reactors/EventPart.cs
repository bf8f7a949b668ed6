namespace ProcessRunner.Backends.Reactors;

/// <summary>
/// Specifies the part of a child that an event belongs to. A waiting thread polls the parts up to and including
/// <see cref="Exit"/>.
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
