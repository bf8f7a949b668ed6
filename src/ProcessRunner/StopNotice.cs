using System.Diagnostics;

namespace ProcessRunner;

/// <summary>
/// Describes a child that is about to be stopped, for <see cref="ProcessCommand.BeforeStop"/>.
/// Immutable.
/// </summary>
/// <param name="Command">The command that runs.</param>
/// <param name="ProcessId">
/// The process id of the child. It belongs to the child until the callback returns, <see
/// cref="ProcessCommand.BeforeStopLimit"/> passes, or a kill at once does not wait for the callback.
/// </param>
/// <param name="Cause">What stops the child.</param>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record StopNotice(ProcessCommand Command, int ProcessId, StopCause Cause)
{
    /// <summary>Returns the command, its process id and the cause.</summary>
    public override string ToString() => $"{Command}: stop of {ProcessId} ({Cause})";
}
