namespace ProcessRunner.Backends;

/// <summary>Specifies a stream that a child writes.</summary>
internal enum StandardStream
{
    Output,
    Error,
}
