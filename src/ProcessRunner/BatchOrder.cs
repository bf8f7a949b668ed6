namespace ProcessRunner;

/// <summary>Specifies the order in which a batch starts its commands.</summary>
public enum BatchOrder
{
    /// <summary>
    /// Commands start in the order of the input, which is read as needed, a few hundred commands ahead
    /// (<see cref="BatchOptions.MaxWaiting"/>).
    /// </summary>
    AsGiven,

    /// <summary>
    /// Commands start by <see cref="BatchItem.ExpectedRunTime"/>, the longest first, so that no long command runs alone
    /// at the end. The whole input is read before the first start.
    /// </summary>
    LongestFirst,
}
