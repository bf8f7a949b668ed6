namespace ProcessRunner.Backends;

/// <summary>
/// Describes the parts of the contract that a backend provides itself. This library pumps what a backend cannot bind,
/// and refuses commands that need one of the other parts.
/// </summary>
internal readonly record struct BackendCapabilities
{
    /// <summary>Gets whether a child can read or write a file itself (<see cref="StreamBindingKind.File"/>).</summary>
    public bool BindsFiles { get; init; }

    /// <summary>
    /// Gets whether two children can share a pipe of the system (<see cref="StreamBindingKind.Connection"/>).
    /// </summary>
    public bool ConnectsChildren { get; init; }

    /// <summary>Gets whether a child can join another group than that of this process.</summary>
    public bool ChoosesGroups { get; init; }

    /// <summary>Gets whether the descendants of a child can be found after its exit.</summary>
    public bool FindsDescendants { get; init; }

    /// <summary>
    /// Gets whether a child can have channels, and handles of the caller as its streams
    /// (<see cref="StreamBindingKind.Handle"/>).
    /// </summary>
    public bool PassesHandles { get; init; }

    /// <summary>
    /// Gets whether the thread of a timer can start a child: a start that hangs there does not hold up the others.
    /// </summary>
    public bool StartsOnTimers { get; init; }

    /// <summary>Gets whether an argument can have bytes that are no text.</summary>
    public bool PassesBytes { get; init; }

    /// <summary>Returns whether this process must pump the bytes of a stream that is bound in this way.</summary>
    public bool Pumps(StreamBindingKind kind) =>
        (kind == StreamBindingKind.File && !BindsFiles)
        || (kind == StreamBindingKind.Connection && !ConnectsChildren);
}
