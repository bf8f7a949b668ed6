namespace ProcessRunner.Backends;

/// <summary>
/// Specifies which step of a start failed. The names and values are those of <c>ProcessStartStep</c>.
/// </summary>
internal enum LaunchStep
{
    /// <summary>Another step.</summary>
    Other,

    /// <summary>The file does not exist.</summary>
    NotFound,

    /// <summary>The file exists, but may not be executed.</summary>
    NotExecutable,

    /// <summary>The working directory cannot be entered.</summary>
    BadDirectory,

    /// <summary>The file is not a program for this machine.</summary>
    BadFormat,

    /// <summary>A file for a standard stream cannot be opened.</summary>
    BadStreamFile,

    /// <summary>The arguments and the environment are too large.</summary>
    TooLarge,

    /// <summary>No descriptor is free.</summary>
    OutOfDescriptors,

    /// <summary>The limit of processes is reached or the memory is exhausted.</summary>
    OutOfResources,

    /// <summary>The file is still open for writing.</summary>
    Busy,

    /// <summary>A handle for a stream cannot be passed on.</summary>
    BadHandle,

    /// <summary>The process group to join does not exist or belongs to another session.</summary>
    BadGroup,

    /// <summary>The priority cannot be set.</summary>
    BadPriority,

    /// <summary>The processors cannot be chosen.</summary>
    BadProcessors,

    /// <summary>A limit of a resource cannot be set.</summary>
    BadLimit,

    /// <summary>The user or the groups of users cannot be changed.</summary>
    BadIdentity,
}
