using System;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>A lost byte or a wrong exit code ends a benchmark.</summary>
internal static class Checked
{
    /// <summary>Runs a child to its end.</summary>
    public static long Run(IChildRunner runner, ChildJob job) => Report(job, runner.Run(job));

    public static long Report(ChildJob job, ChildReport report) =>
        job.IsFulfilledBy(report)
            ? report.OutputBytes + report.ErrorBytes
            : throw new InvalidOperationException($"{report} instead of {job.OutputBytes} and {job.ErrorBytes} bytes.");
}
