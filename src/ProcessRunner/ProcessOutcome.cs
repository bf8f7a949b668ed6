namespace ProcessRunner;

/// <summary>
/// Specifies how a run ended. A stop that was requested before the child's exit determines the outcome, however the
/// child then died.
/// </summary>
public enum ProcessOutcome
{
    /// <summary>The child ended by itself with an exit code, zero or not.</summary>
    Exited,

    /// <summary>
    /// A signal ended the child, and no stop did: another process sent it, or <see cref="ChildProcess.Signal"/>.
    /// </summary>
    Signaled,

    /// <summary>The time limit passed, and the child was stopped.</summary>
    TimedOut,

    /// <summary>The child wrote nothing for longer than its idle limit, and was stopped.</summary>
    IdleTimedOut,

    /// <summary>
    /// The output exceeded the limit of a capture with <see cref="CapturePolicy.Fail"/>, and the child was stopped if
    /// it had not ended yet.
    /// </summary>
    OutputLimitExceeded,

    /// <summary>
    /// The child was stopped for any other reason, most often by the caller: by a token, a stop, a kill or Dispose.
    /// <see cref="ProcessResult.StoppedBy"/> has the reason.
    /// </summary>
    Canceled,

    /// <summary>Other code in this program took the child's exit status, and the kernel no longer has it.</summary>
    StatusLost,
}
