namespace ProcessRunner;

/// <summary>Tells what becomes of output beyond a capture's limit. The true total is always counted.</summary>
public enum CapturePolicy
{
    /// <summary>The first and the last bytes are kept, half of the limit each; what lies between is let go.</summary>
    KeepHeadAndTail,

    /// <summary>The first bytes are kept.</summary>
    KeepHead,

    /// <summary>The first bytes are kept and the child is stopped: <see cref="ProcessOutcome.OutputLimitExceeded"/>.</summary>
    Fail,

    /// <summary>
    /// What does not fit into memory goes to a temporary file, which vanishes with the result and is its owner's alone. Where it
    /// cannot be written the wait for the run throws an <see cref="System.IO.IOException"/>, and what was kept is in the result.
    /// </summary>
    SpillToFile,
}
