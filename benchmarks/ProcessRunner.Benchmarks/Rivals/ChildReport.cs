namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>What came of one child.</summary>
/// <param name="ExitCode">Null if it did not exit by itself.</param>
/// <param name="OutputBytes">What arrived of its standard output.</param>
/// <param name="ErrorBytes">What arrived of its standard error.</param>
/// <param name="Output">The text of its standard output, where somebody wants it.</param>
internal readonly record struct ChildReport(int? ExitCode, long OutputBytes, long ErrorBytes, string? Output = null);
