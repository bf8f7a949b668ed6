using System.Linq;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Crowds;

/// <summary>Runs the children as a batch of ProcessRunner. One thread enumerates the results.</summary>
internal sealed class BatchCrowd : ICrowd
{
    public void Run(ChildJob job, int children, int concurrency, Tally tally)
    {
        ProcessCommand command = new(job.Program, job.Arguments);
        BatchOptions options = new() { MaxConcurrency = concurrency < 0 ? children : concurrency };
        foreach (BatchResult result in ProcessBatch.Enumerate(Enumerable.Repeat(command, children), options))
        {
            ProcessResult child = result.EnsureSuccess();
            tally.Add(
                job, new ChildReport(child.ExitCode, child.StandardOutput.TotalBytes, child.StandardError.TotalBytes));
        }
    }
}
