namespace ProcessRunner;

/// <summary>Tells how a run ended. A stop asked for before the end was seen decides, however the child then died.</summary>
public enum ProcessOutcome
{
    /// <summary>The child ended by itself with an exit code, be it zero or not.</summary>
    Exited,

    /// <summary>A signal ended the child that this library did not send.</summary>
    Signaled,

    /// <summary>The time limit passed and the child was stopped.</summary>
    TimedOut,

    /// <summary>The child wrote nothing for longer than its idle limit and was stopped.</summary>
    IdleTimedOut,

    /// <summary>
    /// More was written than a capture with <see cref="CapturePolicy.Fail"/> allows, and the child was stopped if it had not
    /// ended yet.
    /// </summary>
    OutputLimitExceeded,

    /// <summary>The caller asked for the stop: by a token, Cancel, Stop, Kill or Dispose.</summary>
    Canceled,

    /// <summary>Other code in this program took the child's exit status, and the kernel no longer knows it.</summary>
    StatusLost,
}
