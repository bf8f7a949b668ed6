namespace ProcessRunner.Backends.Linux;

/// <summary>What was to be seen of the process table, or of one process in it.</summary>
internal enum ProcessSight
{
    /// <summary>All that was asked for.</summary>
    Clear,

    /// <summary>The process has ended.</summary>
    Gone,

    /// <summary>Nothing, and it will be the same next time: it is denied to us, not there, or another namespace's.</summary>
    Denied,

    /// <summary>Nothing, for want of a descriptor or of memory.</summary>
    Short,

    /// <summary>Not a byte of an environment, as of a process that has none, and at the very end of an exec.</summary>
    Empty,

    /// <summary>Not a byte of an environment, and no memory either: the process is in the middle of an exec or of its end.</summary>
    NoMemory,
}
