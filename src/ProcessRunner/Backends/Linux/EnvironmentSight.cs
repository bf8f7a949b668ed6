namespace ProcessRunner.Backends.Linux;

/// <summary>What was to be seen of another process's environment.</summary>
internal enum EnvironmentSight
{
    /// <summary>All of it.</summary>
    Clear,

    /// <summary>Not a byte, as of a process that has none or may not be read, and at the very end of an exec.</summary>
    Empty,

    /// <summary>Not a byte, and no memory either: the process is in the middle of an exec or of its end.</summary>
    NoMemory,
}
