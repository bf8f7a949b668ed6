namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Represents the result of one child.</summary>
/// <param name="ExitCode">The exit code; null if the child did not exit by itself.</param>
/// <param name="OutputBytes">The number of bytes received from standard output.</param>
/// <param name="ErrorBytes">The number of bytes received from standard error.</param>
/// <param name="Output">The text of standard output, if it is needed.</param>
internal readonly record struct ChildReport(int? ExitCode, long OutputBytes, long ErrorBytes, string? Output = null);
