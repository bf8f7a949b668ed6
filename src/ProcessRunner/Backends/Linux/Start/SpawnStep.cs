namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Specifies the steps of a new child before its program runs that can fail through the fault of its command.
/// </summary>
internal enum SpawnStep
{
    /// <summary>The child opens the file for its standard input.</summary>
    OpenInput,

    /// <summary>The child opens the file for its standard output.</summary>
    OpenOutput,

    /// <summary>The child opens the file for its standard error.</summary>
    OpenError,

    /// <summary>The child joins a process group.</summary>
    JoinGroup,

    /// <summary>The child sets its priority.</summary>
    SetPriority,

    /// <summary>The child chooses its processors.</summary>
    SetProcessors,

    /// <summary>The child sets a limit of a resource.</summary>
    SetLimit,

    /// <summary>The child becomes another user.</summary>
    ChangeIdentity,

    /// <summary>The child changes to its working directory.</summary>
    ChangeDirectory,

    /// <summary>The child executes the program.</summary>
    Execute,
}
