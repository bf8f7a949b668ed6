using System.Runtime.InteropServices;

namespace ProcessRunner.Backends;

/// <summary>Describes the connection of a child's standard stream.</summary>
/// <param name="Kind">The kind of the connection.</param>
/// <param name="Path">The file, for <see cref="StreamBindingKind.File"/>.</param>
/// <param name="Append">Whether that file keeps its contents.</param>
/// <param name="Connection">The pipe, for <see cref="StreamBindingKind.Connection"/>.</param>
/// <param name="Handle">The caller's handle, for <see cref="StreamBindingKind.Handle"/>.</param>
internal readonly record struct StreamBinding(
    StreamBindingKind Kind,
    string? Path = null,
    bool Append = false,
    PipeConnection? Connection = null,
    SafeHandle? Handle = null);
