namespace Batch.Reports;

/// <summary>Specifies why a run ended.</summary>
internal enum RunEnding
{
    /// <summary>The items ended.</summary>
    Complete,

    /// <summary>Enough jobs failed for --halt.</summary>
    Halted,

    /// <summary>Ctrl-C was pressed.</summary>
    Interrupted,

    /// <summary>SIGTERM or SIGHUP arrived.</summary>
    Terminated,
}
