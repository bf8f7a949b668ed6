using System.Collections.Immutable;

namespace ProcessRunner.Benchmarks.Native;

/// <summary>A child to run, and what must come of it: exit code 0 and so many bytes on each stream.</summary>
/// <param name="Program">The program, by its path.</param>
/// <param name="Arguments">Its arguments.</param>
/// <param name="OutputBytes">What it writes to its standard output; null if that is not known before.</param>
/// <param name="ErrorBytes">What it writes to its standard error.</param>
internal sealed record ChildJob(string Program, ImmutableArray<string> Arguments, long? OutputBytes, long ErrorBytes)
{
    /// <summary>What it is to read from its standard input, or null for none.</summary>
    public string? Input { get; init; }

    /// <summary>Whether a child did all of it.</summary>
    public bool IsFulfilledBy(Rivals.ChildReport report) =>
        report.ExitCode == 0
        && (OutputBytes is null || report.OutputBytes == OutputBytes)
        && report.ErrorBytes == ErrorBytes;
}
