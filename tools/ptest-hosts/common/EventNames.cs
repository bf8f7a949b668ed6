namespace PTest.Hosts;

/// <summary>Defines the kinds of events. The host and the runner share this file.</summary>
internal static class EventNames
{
    public const string Found = "found";

    /// <summary>The answer to a job that asks for the runtime of the process.</summary>
    public const string Runtime = "runtime";

    /// <summary>The process has found its tests, and runs them now.</summary>
    public const string Ready = "ready";

    /// <summary>The first collection of tests begins.</summary>
    public const string CollectionStarted = "collection-started";

    /// <summary>A test, or a row of its data, begins.</summary>
    public const string Started = "started";

    /// <summary>A test, or a row of its data, has ended.</summary>
    public const string Ended = "ended";

    /// <summary>A test has ended, and the framework itself tries it again.</summary>
    public const string Superseded = "superseded";

    /// <summary>A test has ended with all rows of its data.</summary>
    public const string CaseEnded = "case-ended";

    /// <summary>A process lives on after a test.</summary>
    public const string Left = "left";

    /// <summary>A process lives on after a test, and may be a stranger's.</summary>
    public const string Unclear = "unclear";

    /// <summary>Something failed outside of a test.</summary>
    public const string Error = "error";

    /// <summary>The host itself failed.</summary>
    public const string HostError = "host-error";

    /// <summary>The job is done. Without this event, no end of a process is a verdict.</summary>
    public const string RunEnded = "run-ended";
}
