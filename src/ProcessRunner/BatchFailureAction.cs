namespace ProcessRunner;

/// <summary>Specifies what a batch does when a command has failed for good, including its retries.</summary>
public enum BatchFailureAction
{
    /// <summary>The batch continues.</summary>
    Continue,

    /// <summary>The batch starts no further command, and waits for those that are running.</summary>
    StopStarting,

    /// <summary>
    /// The batch starts no further command, and stops the running ones by their stop signal and grace period.
    /// </summary>
    StopRunning,
}
