namespace ProcessRunner.Backends.Linux;

/// <summary>Which of a child's descriptors an event is about.</summary>
internal enum EventSource
{
    Output,
    Error,
    Exit,
    Input,
}
