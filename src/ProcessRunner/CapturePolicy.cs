namespace ProcessRunner;

/// <summary>Specifies what happens to output beyond the limit of a capture. The total is always counted.</summary>
public enum CapturePolicy
{
    /// <summary>Keeps the first and the last bytes, half of the limit each, and drops the bytes in between.</summary>
    KeepHeadAndTail,

    /// <summary>Keeps the first bytes.</summary>
    KeepHead,

    /// <summary>
    /// Keeps the first bytes and stops the child, with <see cref="ProcessOutcome.OutputLimitExceeded"/>.
    /// </summary>
    Fail,

    /// <summary>
    /// Writes the bytes that do not fit into memory to a temporary file, which only the owner can read and which
    /// vanishes with the result. If the file cannot be written, the wait for the run throws an
    /// <see cref="System.IO.IOException"/>, and the result has the bytes that were kept.
    /// </summary>
    SpillToFile,
}
