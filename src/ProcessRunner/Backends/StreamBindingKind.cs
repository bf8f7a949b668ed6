namespace ProcessRunner.Backends;

/// <summary>The kinds of <see cref="StreamBinding"/>.</summary>
internal enum StreamBindingKind
{
    /// <summary>A pipe whose other end the reactor serves.</summary>
    Pipe,

    /// <summary>The null device.</summary>
    Null,

    /// <summary>The same stream of this process.</summary>
    Inherit,

    /// <summary>A file that the child itself reads or writes.</summary>
    File,

    /// <summary>A pipe whose other end is another child's.</summary>
    Connection,

    /// <summary>For standard error: whatever standard output is connected to.</summary>
    Output,
}
