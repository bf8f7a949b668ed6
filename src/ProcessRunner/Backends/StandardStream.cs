namespace ProcessRunner.Backends;

/// <summary>
/// Specifies a stream that a child writes. A channel is its number, which is 3 or more: a cast turns one into the
/// other.
/// </summary>
internal enum StandardStream
{
    Output = 1,
    Error = 2,
}
