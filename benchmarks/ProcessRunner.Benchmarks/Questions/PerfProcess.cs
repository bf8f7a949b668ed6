using System;
using System.Collections.Immutable;
using System.Linq;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Defines the children of Perf_Process in dotnet/performance.</summary>
internal static class PerfProcess
{
    private const int LineCount = 1000;

    private static readonly ImmutableArray<string> s_linesScript =
        ["-c", FormattableString.Invariant($"for i in $(seq 1 {LineCount}); do echo Line $i; done")];

    /// <summary>Gets the child of Start and StartAndWaitForExit.</summary>
    public static ChildJob WhoAmI { get; } = new("/usr/bin/whoami", [], null, 0);

    /// <summary>Gets the child of ReadOutputLineByLine and ReadOutputToEnd.</summary>
    public static ChildJob Lines { get; } = new(
        "/bin/sh",
        s_linesScript,
        Enumerable.Range(1, LineCount).Sum(number => FormattableString.Invariant($"Line {number}\n").Length),
        0);
}
