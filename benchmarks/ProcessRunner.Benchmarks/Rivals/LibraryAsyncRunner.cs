using System.Threading.Tasks;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Runs ProcessRunner: an executor for each child, RunAsync, and a thread that blocks on its task.</summary>
internal sealed class LibraryAsyncRunner : IChildRunner
{
    public IRunningChild Start(ChildJob job) => new Child(job);

    private sealed class Child : IRunningChild
    {
        private readonly ProcessExecutor _executor;
        private readonly Task<ProcessResult> _run;

        public Child(ChildJob job)
        {
            ProcessCommand command = new(job.Program);
            if (job.Input is not null)
            {
                command = command with { StandardInput = InputSource.FromText(job.Input) };
            }

            _executor = new ProcessExecutor("child", command);
            _run = _executor.RunAsync(job.Arguments);
        }

        public void Wait() => _run.GetAwaiter().GetResult();

        public ChildReport Report()
        {
            ProcessResult result = _run.Result;
            result.StandardOutput.Release();
            result.StandardError.Release();
            return new ChildReport(result.ExitCode, result.StandardOutput.TotalBytes, result.StandardError.TotalBytes);
        }

        // Cancel does the work of Kill without the wait for the end.
        public void Kill() => _executor.Cancel();

        public void Dispose() => _executor.Dispose();
    }
}
