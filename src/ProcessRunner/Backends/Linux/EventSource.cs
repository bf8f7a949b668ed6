namespace ProcessRunner.Backends.Linux;

/// <summary>Which of a child's descriptors an event is about. A <see cref="ServingWait"/> polls those before the input, the exit last.</summary>
internal enum EventSource : byte
{
    Output,
    Error,
    Exit,
    Input,
}
