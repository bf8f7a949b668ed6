namespace PTest.Verdicts;

/// <summary>Names verdicts for people, and says which of them fail a run.</summary>
internal static class VerdictText
{
    public static string Text(this Verdict verdict) =>
        verdict == Verdict.NotRun ? "NOT-RUN" : verdict.ToString().ToUpperInvariant();

    /// <summary>Gets whether the test failed, whatever the policies say.</summary>
    public static bool IsFailure(this Verdict verdict) => verdict is Verdict.Fail or Verdict.Order
        or Verdict.Timeout or Verdict.Crash or Verdict.Exit;
}
