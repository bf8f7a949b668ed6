using System;
using System.Linq;
using System.Threading;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Crowds;

/// <summary>Runs all children at once with ProcessRunner on one thread: Run for each child, then one WaitAll.</summary>
internal sealed class WaitAllCrowd : ICrowd
{
    public void Run(ChildJob job, int children, int concurrency, Tally tally)
    {
        ProcessCommand command = new(job.Program, job.Arguments);
        ProcessExecutor[] executors =
            [.. Enumerable.Range(0, children).Select(_ => new ProcessExecutor("child", command))];
        Array.ForEach(executors, executor => executor.Run());
        ProcessExecutor.WaitAll(executors, Timeout.InfiniteTimeSpan);
        foreach (ProcessExecutor executor in executors)
        {
            ProcessResult result = executor.Result;
            tally.Add(
                job,
                new ChildReport(result.ExitCode, result.StandardOutput.TotalBytes, result.StandardError.TotalBytes));
            executor.Dispose();
        }
    }
}
