namespace ProcessRunner.Backends;

/// <summary>Specifies the kind of a <see cref="StreamBinding"/>.</summary>
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

    /// <summary>A pipe whose other end belongs to another child.</summary>
    Connection,

    /// <summary>For standard error: the connection of standard output.</summary>
    Output,

    /// <summary>A handle or descriptor of the caller.</summary>
    Handle,
}
