namespace ProcessRunner;

/// <summary>Tells what a batch does when a command has failed for good, its retries included.</summary>
public enum BatchFailureAction
{
    /// <summary>Goes on.</summary>
    Continue,

    /// <summary>Starts no further command; those that run are waited for.</summary>
    StopStarting,

    /// <summary>Starts no further command, and stops those that run by their stop signal and grace.</summary>
    StopRunning,
}
