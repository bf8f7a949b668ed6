using System;
using System.Linq;
using System.Threading;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Crowds;

/// <summary>ProcessRunner on one thread: Run for all children, and then one WaitAll. All of them run at once.</summary>
internal sealed class WaitAllCrowd : ICrowd
{
    public void Run(ChildJob job, int children, int concurrency, Tally tally)
    {
        ProcessCommand command = new(job.Program, job.Arguments);
        ProcessExecutor[] executors = [.. Enumerable.Range(0, children).Select(_ => new ProcessExecutor("child", command))];
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
