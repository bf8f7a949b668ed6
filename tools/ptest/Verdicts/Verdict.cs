namespace PTest.Verdicts;

/// <summary>Specifies what became of a test.</summary>
internal enum Verdict
{
    /// <summary>It passed.</summary>
    Pass,

    /// <summary>It passed, and took longer than it should.</summary>
    Slow,

    /// <summary>It passed, and left processes behind.</summary>
    Leak,

    /// <summary>It failed, and passed when it ran again in the same way.</summary>
    Flaky,

    /// <summary>It was skipped.</summary>
    Skip,

    /// <summary>It failed.</summary>
    Fail,

    /// <summary>It fails in the company of other tests, and passes alone.</summary>
    Order,

    /// <summary>It took longer than it may, and was stopped.</summary>
    Timeout,

    /// <summary>A signal ended its process.</summary>
    Crash,

    /// <summary>Its process ended by itself, before the test did.</summary>
    Exit,

    /// <summary>It did not run, because the run ended before.</summary>
    NotRun,
}
