namespace ProcessRunner;

/// <summary>Describes a child that is about to be stopped, for <see cref="ProcessCommand.BeforeStop"/>.</summary>
/// <param name="Command">The command that runs.</param>
/// <param name="ProcessId">
/// The process id of the child. It belongs to the child until the callback returns or its limit passes.
/// </param>
/// <param name="Cause">What stops the child.</param>
public sealed record StopNotice(ProcessCommand Command, int ProcessId, StopCause Cause);
