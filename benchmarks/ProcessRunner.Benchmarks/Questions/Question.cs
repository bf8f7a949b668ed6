using System;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>
/// Represents a child and several ways to run it. A lost byte or a wrong exit code ends the benchmark.
/// </summary>
public abstract class Question
{
    private readonly ChildJob _job;

    private protected Question(ChildJob job) => _job = job;

    private protected long Run(IChildRunner runner) => Check(runner.Run(_job));

    private protected IRunningChild Start(IChildRunner runner) => runner.Start(_job);

    private protected long Check(ChildReport report) =>
        _job.IsFulfilledBy(report)
            ? report.OutputBytes + report.ErrorBytes
            : throw new InvalidOperationException(
                $"{report} instead of {_job.OutputBytes} and {_job.ErrorBytes} bytes.");
}
