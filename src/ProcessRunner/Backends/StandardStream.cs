namespace ProcessRunner.Backends;

/// <summary>A stream that a child writes.</summary>
internal enum StandardStream
{
    Output,
    Error,
}
