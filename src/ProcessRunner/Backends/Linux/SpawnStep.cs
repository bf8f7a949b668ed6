namespace ProcessRunner.Backends.Linux;

/// <summary>What a new child does before its program runs, as far as it can fail by the fault of its command.</summary>
internal enum SpawnStep
{
    /// <summary>It opens the file for its standard input.</summary>
    OpenInput,

    /// <summary>It opens the file for its standard output.</summary>
    OpenOutput,

    /// <summary>It opens the file for its standard error.</summary>
    OpenError,

    /// <summary>It goes to its working directory.</summary>
    ChangeDirectory,

    /// <summary>It executes the program.</summary>
    Execute,
}
