namespace ProcessRunner.Backends;

/// <summary>What a standard stream of a child is connected to.</summary>
/// <param name="Kind">To what.</param>
/// <param name="Path">The file, for <see cref="StreamBindingKind.File"/>.</param>
/// <param name="Append">Whether that file keeps what it holds.</param>
/// <param name="Connection">The pipe, for <see cref="StreamBindingKind.Connection"/>.</param>
internal readonly record struct StreamBinding(
    StreamBindingKind Kind, string? Path = null, bool Append = false, PipeConnection? Connection = null);
