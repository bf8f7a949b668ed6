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

    /// <summary>The child changes to its working directory.</summary>
    ChangeDirectory,

    /// <summary>The child executes the program.</summary>
    Execute,
}
