namespace ProcessRunner;

/// <summary>Tells in which order a batch starts its commands.</summary>
public enum BatchOrder
{
    /// <summary>As they come. The input is read as it is needed, a few hundred commands ahead (<see cref="BatchOptions.MaxWaiting"/>).</summary>
    AsGiven,

    /// <summary>
    /// By <see cref="BatchItem.ExpectedRunTime"/>, the longest first, so that no long command is left to run alone at the
    /// end. The whole input is read before the first start.
    /// </summary>
    LongestFirst,
}
