namespace Batch.Reports;

/// <summary>Why a run ended.</summary>
internal enum RunEnding
{
    /// <summary>Its items did.</summary>
    Complete,

    /// <summary>Enough jobs had failed for --halt.</summary>
    Halted,

    /// <summary>Ctrl-C.</summary>
    Interrupted,

    /// <summary>SIGTERM or SIGHUP.</summary>
    Terminated,
}
