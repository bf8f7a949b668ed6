using System.Collections.Immutable;

namespace ProcessRunner.Benchmarks.Native;

/// <summary>
/// Represents a child to run and its expected result: exit code 0 and a number of bytes on each stream.
/// </summary>
/// <param name="Program">The path of the program.</param>
/// <param name="Arguments">The arguments of the program.</param>
/// <param name="OutputBytes">The number of bytes on standard output; null if it is unknown in advance.</param>
/// <param name="ErrorBytes">The number of bytes on standard error.</param>
internal sealed record ChildJob(string Program, ImmutableArray<string> Arguments, long? OutputBytes, long ErrorBytes)
{
    /// <summary>Gets the text that the child reads from standard input, or null for none.</summary>
    public string? Input { get; init; }

    /// <summary>Returns whether a child did all of its work.</summary>
    public bool IsFulfilledBy(Rivals.ChildReport report) =>
        report.ExitCode == 0
        && (OutputBytes is null || report.OutputBytes == OutputBytes)
        && report.ErrorBytes == ErrorBytes;
}
