namespace PTest.Hosts;

/// <summary>Defines the outcomes of tests. The host and the runner share this file.</summary>
internal static class OutcomeNames
{
    public const string Passed = "passed";

    public const string Failed = "failed";

    public const string Skipped = "skipped";
}
