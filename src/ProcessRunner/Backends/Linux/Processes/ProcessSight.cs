namespace ProcessRunner.Backends.Linux.Processes;

/// <summary>Specifies how much of the process table, or of one process in it, was visible.</summary>
internal enum ProcessSight
{
    /// <summary>Everything that was asked for.</summary>
    Clear,

    /// <summary>Nothing: the process has ended.</summary>
    Gone,

    /// <summary>
    /// Nothing, now and at every other attempt: access is denied, the file does not exist, or the table belongs to
    /// another namespace.
    /// </summary>
    Denied,

    /// <summary>Nothing, because no descriptor or no memory was free.</summary>
    Short,

    /// <summary>An empty environment: the process has none.</summary>
    Empty,

    /// <summary>An empty environment for now: the process is in the middle of an exec or is ending.</summary>
    NoMemory,
}
